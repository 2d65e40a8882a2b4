import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatShortAge } from '../line/board/describe-row.ts';
import { toShellWord } from '../base/shell-word.ts';
import { formatLocalTime } from '../base/local-time.ts';
import type { ActionOutcome } from '../app/web/api-types.ts';
import { LOST, look } from './ask.ts';
import { now, readOnly } from './live.ts';
import { getErrorMessage } from '../base/get-error-message.ts';

/** An age in one unit: `4m`, `3h`, `2d`; the moment is its title. */
export function ShortAge({ at }: { readonly at: string }) {
  return (
    <time class="age" dateTime={at} title={formatLocalTime(at, new Date(now.value))}>
      {formatShortAge(at, now.value)}
    </time>
  );
}

/** The outcome of a request, announced to screen readers; a refusal is brought into view. */
export function ActionResult({ outcome }: { readonly outcome: ActionOutcome | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (outcome?.ok === false) box.current?.scrollIntoView({ block: 'center' }); // above the bars of a phone
  }, [outcome]);
  return (
    <div role="status" aria-live="polite" ref={box}>
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
}

/** A button with a confirmation. Cancel takes its place and the focus: neither a double tap nor a held key confirms. */
export function Sure(props: {
  readonly what: string;
  readonly sure: string;
  readonly main?: boolean;
  readonly isReady?: boolean;
  /** What it does, shown with the confirmation. */
  readonly note?: string;
  /** The id of its button, which a key presses. */
  readonly id?: string;
  readonly act: () => Promise<ActionOutcome>;
  /** Shows the outcome where this button may be gone by then; else it is shown here. */
  readonly came?: (outcome: ActionOutcome) => void;
  /** It is asked from the start, and this is the way back; a refusal is shown here too. */
  readonly back?: () => void;
}) {
  const start = props.back === undefined ? 'idle' : 'asked';
  const [stage, setStage] = useState<'idle' | 'asked' | 'busy'>(start);
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const first = useRef<HTMLButtonElement>(null);
  const isMeant = useIsMeant(stage !== 'idle');
  const wasPressed = useRef(start === 'asked');
  useLayoutEffect(() => {
    if (wasPressed.current && document.activeElement === document.body) first.current?.focus(); // the pressed button is gone
    wasPressed.current = true;
  }, [stage]);
  if (readOnly.value !== null) return null; // every page shows the reason
  const act = async (): Promise<void> => {
    setStage('busy');
    const outcome = await props.act();
    props.came?.(outcome);
    if (props.came === undefined || (props.back !== undefined && !outcome.ok)) setOutcome(outcome);
    setStage(start);
  };
  const isBusy = stage === 'busy';
  return (
    <div class={stage === 'idle' ? 'sure' : 'sure confirming'}>
      <div class="actions">
        {stage === 'idle' ? (
          <button
            key="what"
            ref={first}
            id={props.id}
            class={props.main === true ? 'main' : ''}
            disabled={props.isReady === false}
            onClick={() => setStage('asked')}
          >
            {props.what}
          </button>
        ) : (
          <>
            <button key="back" ref={first} disabled={isBusy} onClick={props.back ?? (() => setStage('idle'))}>
              Back
            </button>
            <button
              key="sure"
              class="main"
              disabled={isBusy || !isMeant || props.isReady === false}
              onClick={() => void act()}
            >
              {isBusy ? 'Working…' : props.sure}
            </button>
          </>
        )}
      </div>
      {stage === 'idle' || props.note === undefined ? null : <p>{props.note}</p>}
      <ActionResult outcome={outcome} />
    </div>
  );
}

/** A text that stays in this browser until it is emptied, also over a reload. */
export function useKeptText(name: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => localStorage.getItem(name) ?? '');
  const keep = (next: string): void => {
    setText(next);
    if (next === '') localStorage.removeItem(name);
    else localStorage.setItem(name, next);
  };
  return [text, keep];
}

/** A draft that this browser keeps under a name; `empty` has its fields. */
export function readKeptDraft<Draft extends object>(name: string, empty: Draft): Draft {
  try {
    return { ...empty, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Draft>) };
  } catch {
    return empty;
  }
}

/** A second tap comes sooner than this. */
const DOUBLE_TAP_MS = 400;

/** Whether a confirmation is there long enough to be meant. */
export function useIsMeant(isAsked: boolean): boolean {
  const [isMeant, setMeant] = useState(false);
  useEffect(() => {
    setMeant(false);
    if (!isAsked) return undefined;
    const timer = setTimeout(() => setMeant(true), DOUBLE_TAP_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
  return isMeant;
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
        const why = getErrorMessage(error);
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

export const Skeleton = () => (
  <div class="skeleton" role="status">
    <span class="hidden">Loading</span>
    <i />
    <i />
    <i />
  </div>
);

/** Replaces data that is loading, or that could not be loaded. */
export const LoadingNotice = ({ why }: { readonly why: string | undefined }) =>
  why === undefined ? <Skeleton /> : <p class="bad">{why}</p>;

/** A command to type, and its purpose; with a button that copies it where the browser allows that. */
export function CommandHint({
  title,
  text,
  root,
}: {
  readonly title: string;
  readonly text: string;
  readonly root?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const folder = root === undefined ? undefined : toShellWord(root);
  const whole = folder === undefined ? text : `cd ${folder}\n${text}`;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(whole);
    setCopied(true);
  };
  return (
    <div class="command">
      <pre tabIndex={0} aria-label={`command: ${title}`}>
        {whole}
      </pre>
      {isSecureContext ? (
        <button onClick={() => void copy()} aria-label={`Copy: ${title}`}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      ) : null}
    </div>
  );
}

/** How to begin where no repository is watched, and what the page is for then. */
export const FirstSteps = ({ children }: { readonly children?: ComponentChildren }) => (
  <div class="empty">
    {children}
    <p>No repository is watched yet. In the folder of a project, type:</p>
    <CommandHint title="Set it up" text="andon init" />
    <CommandHint title="Write a task" text="andon new" />
    <CommandHint title="Work on it" text="andon watch" />
  </div>
);

/** The lines of a field, without blank ones. */
export const toLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
