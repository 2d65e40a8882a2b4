import { useEffect, useState } from 'preact/hooks';
import { render } from 'preact';
import type { ActionOutcome } from '../surfaces/web/api-types.ts';
import { ask } from './ask.ts';
import { CostsPage } from './costs.tsx';
import { DrillsPage } from './drills.tsx';
import { enterByLink, linkRefusal, openByTicket } from './entry.ts';
import { HaltPage } from './halt.tsx';
import { Inbox } from './inbox.tsx';
import { board, connect, isConnected, lastRefresh, needs, now, readOnly } from './live.ts';
import { NewPage } from './new.tsx';
import { formatLocalTime } from '../base/local-time.ts';
import { TimeFormat } from '../views/parts.tsx';
import { Age, ActionResult } from './parts.tsx';
import { QueuePage } from './queue.tsx';
import { RulesPage } from './rules.tsx';
import { StatusStrip } from './status-strip.tsx';
import { TaskPage } from './task.tsx';
import { currentAddress, followLinks, currentRoute } from './current-route.ts';

const PAGES = [
  ['/', 'Inbox', Inbox],
  ['/queue', 'Queue', QueuePage],
  ['/new', 'New', NewPage],
  ['/rules', 'Rules', RulesPage],
  ['/costs', 'Costs', CostsPage],
  ['/drills', 'Drills', DrillsPage],
] as const;

function titled(): string {
  const { kind, task } = currentRoute.value;
  const name = task === '' ? PAGES.find(([to]) => to === `/${kind}`)?.[1] : `${task}${kind === 'halt' ? ', halt' : ''}`;
  return `${needs.value === 0 ? '' : `(${needs.value}) `}${name ?? 'Inbox'} · andon`;
}

function App() {
  useEffect(() => {
    document.title = titled();
  }, [titled()]);
  return (
    <>
      <header class="bar">
        <nav aria-label="Pages">
          {PAGES.map(([to, name]) => (
            <a key={to} href={to} aria-current={to === `/${currentRoute.value.kind}` ? 'page' : undefined}>
              {name}
              {to === '/' && needs.value > 0 ? <b> {needs.value}</b> : null}
            </a>
          ))}
          <a href="/digest">Digest</a>
        </nav>
        <StatusStrip />
        <Heard />
      </header>
      <main tabIndex={-1}>
        <Page />
        {currentRoute.value.kind === '' ? <Link /> : null}
      </main>
    </>
  );
}

/** Why this page is stale: it receives no data. */
function Heard() {
  if (isConnected.value === 'ended' && linkRefusal.value !== '')
    return (
      <p class="say bad" role="alert">
        {linkRefusal.value}
      </p>
    );
  if (isConnected.value === 'ended')
    return (
      <p class="say bad" role="alert">
        This board has ended, or does not know this browser: open the link that andon web prints.
      </p>
    );
  if (isConnected.value === 'lost')
    return (
      <p class="say bad" role="alert">
        andon does not answer{lastRefresh.value === '' ? '' : '; last update: '}
        {lastRefresh.value === '' ? null : <Age at={lastRefresh.value} />}. It is tried again by itself.
      </p>
    );
  return readOnly.value === null ? null : <p class="say">{readOnly.value}</p>;
}

function Page() {
  const { kind, repository, task } = currentRoute.value;
  if (kind === 'report' || kind === 'digest') return <ByTicket key={currentAddress.value} />;
  if (board.value === undefined) return <p class="soft">One moment.</p>;
  if (kind === 'task') return <TaskPage key={currentAddress.value} repository={repository} task={task} />;
  if (kind === 'halt') return <HaltPage key={currentAddress.value} repository={repository} task={task} />;
  const Shown = PAGES.find(([to]) => to === `/${kind}`)?.[2] ?? Inbox;
  return <Shown />;
}

/** The server's response at the address of a script-free page without a ticket. */
function ByTicket() {
  useEffect(() => void openByTicket(location.pathname), []);
  return <p class="soft">One moment.</p>;
}

/** A link for one more browser, such as a phone's. */
function Link() {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  if (readOnly.value !== null) return null;
  return (
    <p class="small">
      <button onClick={() => void ask('/api/links', {}).then(setOutcome)}>A link for another browser</button>
      <ActionResult outcome={outcome} />
    </p>
  );
}

await enterByLink();
currentAddress.value = location.pathname + location.search;
followLinks();
connect();
render(
  <TimeFormat.Provider value={(at) => formatLocalTime(at, new Date(now.value))}>
    <App />
  </TimeFormat.Provider>,
  document.body,
);
