import { useEffect, useRef } from 'preact/hooks';
import { render, type JSX } from 'preact';
import { InsightsPage } from './insights.tsx';
import { DevicesPage } from './devices.tsx';
import { DigestPage } from './digest.tsx';
import { enterByLink, linkRefusal } from './entry.ts';
import { HaltPage } from './halt.tsx';
import { Icon, Mark } from './icons.tsx';
import { Inbox } from './inbox.tsx';
import { board, connect, isConnected, lastRefresh, needs, now, readOnly } from './live.ts';
import { NewPage } from './new.tsx';
import { listStripFacts } from '../line/board/status-strip.ts';
import { formatLocalTime } from '../base/local-time.ts';
import { TimeFormat, When } from '../app/views/parts.tsx';
import { Skeleton } from './parts.tsx';
import { followNotifications, showBadge } from './push.ts';
import { QueuePage } from './queue.tsx';
import { RulesPage } from './rules.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { TaskPage } from './task.tsx';
import { TasksPage } from './tasks.tsx';
import { currentAddress, followLinks, currentRoute } from './current-route.ts';

/** The pages of the navigation, with their icons; on a phone they are a bar at the bottom. */
const PAGES = [
  ['/', 'Inbox', 'inbox', Inbox],
  ['/tasks', 'Tasks', 'tasks', TasksPage],
  ['/queue', 'Queue', 'queue', QueuePage],
  ['/insights', 'Insights', 'insights', InsightsPage],
] as const;

const MORE = [
  ['/rules', 'Rules', RulesPage],
  ['/devices', 'Devices', DevicesPage],
  ['/digest', 'Digest', DigestPage],
] as const;

const PARTS: Readonly<Record<string, readonly [string, () => JSX.Element] | undefined>> = {
  new: ['New task', NewPage],
  ...Object.fromEntries([
    ...PAGES.map(([to, name, , Shown]) => [to.slice(1), [name, Shown]] as const),
    ...MORE.map(([to, name, Shown]) => [to.slice(1), [name, Shown]] as const),
  ]),
};

function titled(): string {
  const { kind, task } = currentRoute.value;
  const name = task === '' ? PARTS[kind]?.[0] : `${task}${kind === 'halt' ? ', halt' : ''}`;
  return `${needs.value === 0 ? '' : `(${needs.value}) `}${name ?? 'Inbox'} · andon`;
}

function App() {
  useEffect(() => {
    document.title = titled();
  }, [titled()]);
  useEffect(() => {
    if (board.value !== undefined) showBadge(needs.value);
  }, [board.value === undefined, needs.value]);
  const { kind } = currentRoute.value;
  const bar = useRef<HTMLElement>(null);
  useEffect(() => followHeight(bar.current), []);
  return (
    <>
      <header class="bar" ref={bar}>
        <div class="top">
          <a href="/" class="brand" aria-label="andon">
            <Mark /> andon
          </a>
          <nav aria-label="Pages">
            {PAGES.map(([to, name, icon]) => (
              <a key={to} href={to} aria-current={to === `/${kind}` ? 'page' : undefined}>
                <Icon name={icon} />
                <span>
                  {name}
                  {to === '/' && needs.value > 0 ? <b> {needs.value}</b> : null}
                </span>
              </a>
            ))}
          </nav>
          <More kind={kind} />
          <a class="button" href="/new">
            New task
          </a>
        </div>
        <StatusStrip />
        <ConnectionNotice />
      </header>
      <main tabIndex={-1} class={kind === '' ? 'wide' : ''}>
        <Page />
      </main>
      <Shortcuts />
    </>
  );
}

/** Tells the style how high the bar is: the preview begins below it. */
function followHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--bar', `${bar.offsetHeight}px`),
  );
  observer.observe(bar);
  return () => observer.disconnect();
}

function More({ kind }: { readonly kind: string }) {
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <details
      ref={menu}
      class="menu"
      onClick={(event) => {
        if (event.target instanceof HTMLAnchorElement && menu.current !== null) menu.current.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current === null) return;
        menu.current.open = false;
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary aria-label="More pages">⋯</summary>
      <ul>
        {MORE.map(([to, name]) => (
          <li key={to}>
            <a href={to} aria-current={to === `/${kind}` ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function StatusStrip() {
  const latest = board.value;
  if (latest === undefined) return null;
  const facts = listStripFacts(latest, new Date(now.value));
  const isLost = isConnected.value === 'lost' || isConnected.value === 'ended';
  const shown = isLost ? [{ tone: 'bad' as const, text: '○ offline' }, ...facts.slice(1)] : facts;
  return (
    <ul class="strip" aria-label="Status">
      {shown.map(({ tone, text }, at) => (
        <li key={at} class={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}

function ConnectionNotice() {
  if (isConnected.value === 'ended')
    return (
      <p class="say bad" role="alert">
        {linkRefusal.value !== '' ? (
          linkRefusal.value
        ) : (
          <>
            Session ended. Run <code>andon web</code> and open the new link.
          </>
        )}
      </p>
    );
  if (isConnected.value === 'lost')
    return (
      <p class="say bad" role="alert">
        Offline.{' '}
        {lastRefresh.value === '' ? null : (
          <>
            Showing the state of <When at={lastRefresh.value} />.{' '}
          </>
        )}
        Reconnecting…
      </p>
    );
  return readOnly.value === null ? null : <p class="say">{readOnly.value}</p>;
}

function Page() {
  const { kind, repository, task } = currentRoute.value;
  if (board.value === undefined) return <Skeleton />;
  if (kind === 'task') return <TaskPage key={currentAddress.value} repository={repository} task={task} />;
  if (kind === 'halt') return <HaltPage key={currentAddress.value} repository={repository} task={task} />;
  const Shown = PARTS[kind]?.[1] ?? Inbox;
  return <Shown />;
}

await enterByLink();
currentAddress.value = location.pathname + location.search;
followLinks();
followNotifications();
connect();
render(
  <TimeFormat.Provider value={(at) => formatLocalTime(at, new Date(now.value))}>
    <App />
  </TimeFormat.Provider>,
  document.body,
);
