import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { millisecondsBetween, formatDuration } from '../line/documents/task-report/words.ts';
import type { ActionOutcome } from '../surfaces/web/api-types.ts';
import { LOST, look } from './ask.ts';
import { now, readOnly } from './live.ts';

/** An age; the moment itself is its title. */
export const Age = ({ at, ago = false }: { readonly at: string; readonly ago?: boolean }) => (
  <time class="age" dateTime={at} title={at}>
    {formatDuration(millisecondsBetween(at, now.value)).replace(/\.\d s$/, ' s')}
    {ago ? ' ago' : ''}
  </time>
);

/** The outcome of a request, announced to screen readers. */
export const ActionResult = ({ outcome }: { readonly outcome: ActionOutcome | undefined }) => (
  <div role="status" aria-live="polite">
    {outcome === undefined ? null : (
      <p class={outcome.ok ? 'good' : 'bad'}>
        {outcome.said}
        {outcome.ok ? '' : `; ${outcome.remedy}`}
      </p>
    )}
    {outcome !== undefined && !outcome.ok && outcome.faults !== undefined ? (
      <ul>
        {outcome.faults.map(({ path, said }) => (
          <li key={path}>
            <code>{path}</code>: {said}
          </li>
        ))}
      </ul>
    ) : null}
  </div>
);

/** A button with a confirmation. Cancel takes its place and the focus: neither a double tap nor a held key confirms. */
export function Sure(props: {
  readonly what: string;
  readonly sure: string;
  readonly main?: boolean;
  readonly isReady?: boolean;
  readonly act: () => Promise<ActionOutcome>;
  /** Shows the outcome where this button may be gone by then; else it is shown here. */
  readonly came?: (outcome: ActionOutcome) => void;
}) {
  const [stage, setStage] = useState<'idle' | 'asked' | 'busy'>('idle');
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const first = useRef<HTMLButtonElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    if (wasPressed.current && document.activeElement === document.body) first.current?.focus(); // the pressed button is gone
    wasPressed.current = true;
  }, [stage]);
  if (readOnly.value !== null) return null; // every page shows the reason
  const act = async (): Promise<void> => {
    setStage('busy');
    (props.came ?? setOutcome)(await props.act());
    setStage('idle');
  };
  const isBusy = stage === 'busy';
  return (
    <div>
      <div class="actions">
        {stage === 'idle' ? (
          <button
            key="what"
            ref={first}
            class={props.main === true ? 'main' : ''}
            disabled={props.isReady === false}
            onClick={() => setStage('asked')}
          >
            {props.what}
          </button>
        ) : (
          <>
            <button key="back" ref={first} disabled={isBusy} onClick={() => setStage('idle')}>
              Back
            </button>
            <button key="sure" class="main" disabled={isBusy} onClick={() => void act()}>
              {isBusy ? 'One moment' : props.sure}
            </button>
          </>
        )}
      </div>
      <ActionResult outcome={outcome} />
    </div>
  );
}

/** The data, or why it failed; neither while it loads. */
interface LookedUp<Value> {
  readonly value: Value | undefined;
  readonly why: string | undefined;
}

/** The retry delay without a connection. */
const AGAIN_MS = 2000;

/** Fetches data, and again when `again` changes or the connection failed. */
export function useLooked<Value>(path: string, again: unknown = ''): LookedUp<Value> {
  const [state, setState] = useState<{ path: string; value?: Value; why?: string }>({ path });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    look<Value>(path).then(
      (value) => isWanted && setState({ path, value }),
      (error: unknown) => {
        if (!isWanted) return;
        const why = error instanceof Error ? error.message : String(error);
        setState({ path, why });
        if (why === LOST.said) timer = setTimeout(() => setTries(tries + 1), AGAIN_MS);
      },
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [path, again, tries]);
  const isOwn = state.path === path;
  return { value: isOwn ? state.value : undefined, why: isOwn ? state.why : undefined };
}

/** Replaces data that is loading. */
export const LoadingNotice = ({ why }: { readonly why: string | undefined }) => (
  <p class={why === undefined ? 'soft' : 'bad'}>{why ?? 'One moment.'}</p>
);

/** A command to type, and its purpose. */
export const CommandHint = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <pre tabIndex={0} aria-label={`command: ${title}`}>
    {text}
  </pre>
);
