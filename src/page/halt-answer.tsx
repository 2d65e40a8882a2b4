import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ActionOutcome, LimitKey, TaskResponse } from '../app/web/api-types.ts';
import type { HaltFacts } from '../line/reports/task-report/list-halts.ts';
import { toLowerFirst } from '../base/to-sentence.ts';
import { Words } from '../app/views/parts.tsx';
import { ask } from './ask.ts';
import { sendBackTitle, SendForm, useUnsent, type CommentTarget } from './comment.tsx';
import { readOnly } from './live.ts';
import { ActionResult, toLines, useIsMeant, useKeptText } from './parts.tsx';

type Summary = NonNullable<TaskResponse['report']['halt']>['summary'];

interface HaltAnswerProps {
  readonly response: TaskResponse;
  readonly halt: HaltFacts;
  readonly summary: Summary;
  /** Where comments go back to; undefined where they cannot. */
  readonly sendBack: CommentTarget | undefined;
  readonly came: (outcome: ActionOutcome) => void;
}

/** What is open at the paths: one of them, or the sending of comments. */
type Opened = 1 | 2 | 'comments';

/** Both paths of a halt; one opens into its fields, and is confirmed there. On a phone this stays at the bottom. */
export function HaltAnswer(props: HaltAnswerProps) {
  const { paths, suggestion } = props.summary;
  const [open, setOpen] = useState<Opened>();
  const opener = useRef<Opened>(undefined);
  const unsent = useUnsent();
  useLayoutEffect(() => {
    if (open === undefined && opener.current !== undefined) {
      const was = document.getElementById(`path-${opener.current}`);
      // On a wide window the button of the comments is not shown.
      (was?.checkVisibility() === true ? was : document.getElementById('path-1'))?.focus();
    }
    opener.current = open;
  }, [open]);
  if (readOnly.value !== null) return null; // every page shows the reason
  return (
    <section class="decide" aria-labelledby="paths">
      <h2 id="paths" class="hidden">
        Two paths
      </h2>
      {open === 'comments' && props.sendBack !== undefined ? (
        <SendForm to={props.sendBack} back={() => setOpen(undefined)} came={props.came} />
      ) : open === 1 || open === 2 ? (
        <PathForm
          key={open}
          {...props}
          number={open}
          back={() => setOpen(undefined)}
          send={() => setOpen('comments')}
        />
      ) : (
        <div class="choices">
          {unsent === 0 ? null : (
            <button id="path-comments" class="main" onClick={() => setOpen('comments')}>
              {sendBackTitle(unsent)}
            </button>
          )}
          {paths.map((path, at) => (
            <Choice
              key={path.title}
              summary={props.summary}
              number={at === 0 ? 1 : 2}
              isMain={unsent === 0}
              open={setOpen}
            />
          ))}
          {suggestion === null ? <p class="hint">No suggestion: this is yours to weigh.</p> : null}
        </div>
      )}
    </section>
  );
}

/** The button of one path and what it does; one that would be in vain says so, or the sum that helps. */
function Choice(props: {
  readonly summary: Summary;
  readonly number: 1 | 2;
  /** Whether a suggested path is the main thing to do here. */
  readonly isMain: boolean;
  readonly open: (number: 1 | 2) => void;
}) {
  const { number } = props;
  const { paths, suggestion, money } = props.summary;
  const path = paths[number - 1];
  if (path === undefined) return null;
  const { title, does, is_drastic: isDrastic, futile } = path;
  const isSuggested = suggestion?.path === number;
  const sum = money?.sums[0]?.usd;
  const isBlocked = futile !== null && sum === undefined;
  return (
    <div class="choice">
      <button
        id={`path-${number}`}
        class={isSuggested && props.isMain ? 'main' : isDrastic ? 'drastic' : ''}
        disabled={isBlocked}
        aria-describedby={`effect-${number}`}
        onClick={() => props.open(number)}
      >
        <span>{title}</span>
        <kbd aria-hidden="true">{number}</kbd>
      </button>
      <p class={isBlocked ? 'effect blocked' : 'effect'} id={`effect-${number}`}>
        <Words text={futile === null ? does : sum === undefined || money === null ? futile : describeSum(money, sum)} />
      </p>
      {isSuggested ? <Suggestion title={title} why={suggestion.why} /> : null}
    </div>
  );
}

/** Which path is suggested, and why; it is below that path. */
export const Suggestion = ({ title, why }: { readonly title: string; readonly why: string }) => (
  <p class="hint">
    Suggested: {toLowerFirst(title)}, because <Words text={why} />.
  </p>
);

interface PathFormProps extends HaltAnswerProps {
  readonly number: 1 | 2;
  readonly back: () => void;
  /** Opens the sending of comments in its place. */
  readonly send: () => void;
}

function PathForm(props: PathFormProps) {
  const { halt, response, number, summary } = props;
  const path = summary.paths[number - 1];
  const money = number === 1 ? summary.money : null;
  const [confirm, setConfirm] = useState('');
  const kept = `andon-answer ${response.repository}/${halt.id}`;
  const [reason, setReason] = useKeptText(`${kept} reason`);
  const [say, setSay] = useKeptText(`${kept} say`);
  const [limits, setLimits] = useState<Partial<Record<LimitKey, string>>>(() =>
    firstLimits(money, path?.futile ?? null),
  );
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const isMeant = useIsMeant(true);
  const unsent = useUnsent();
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => back.current?.focus({ preventScroll: true }), []); // a held key, or a second tap, confirms nothing
  if (path === undefined) return null;
  const id = `answer-${number}`;
  const where = [response.repository, response.task_id, halt.id].map(encodeURIComponent).join('/');
  const typedUsd = limits.budget_usd?.trim() ?? '';
  const short = money === null ? null : whyShort(money, typedUsd);
  const isSum = typedUsd !== '' && Number.isFinite(Number(typedUsd));
  const sum = money === null || !isSum ? null : describeSum(money, Number(typedUsd));
  const isFilled = isMeant && short === null && (!path.reasoned || reason.trim() !== '');
  const isReady = isFilled && (!path.typed || confirm === response.task_id);
  const act = async (typed: string): Promise<void> => {
    setBusy(true);
    const outcome = await ask(`/api/halts/${where}`, {
      path: number,
      ...(path.typed ? { confirm: typed } : {}),
      ...(path.reasoned ? { reason } : {}),
      ...(say.trim() === '' ? {} : { say: say.trim() }),
      ...limitsAsked(limits),
    });
    setBusy(false);
    if (outcome.ok) [setReason, setSay].forEach((keep) => keep(''));
    setOutcome(outcome);
    props.came(outcome);
  };
  return (
    <form
      class="answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) void act(confirm);
      }}
    >
      <p>
        <b>{path.title}.</b> <Words text={sum === null ? path.does : sum} />
      </p>
      {unsent === 0 ? null : (
        <div class="wait">
          <p>{unsent === 1 ? 'Your comment is' : `Your ${unsent} comments are`} not sent with a path.</p>
          <button type="button" disabled={isBusy} onClick={props.send}>
            {sendBackTitle(unsent)}
          </button>
        </div>
      )}
      {money === null ? null : (
        <Sums
          id={id}
          money={money}
          value={limits.budget_usd ?? ''}
          change={(usd) => setLimits({ ...limits, budget_usd: usd })}
        />
      )}
      {path.typed ? (
        <>
          <label for={`${id}-typed`}>
            Type {response.task_id} to take it{isTouched ? ', or hold the button below' : ''}
          </label>
          <input
            id={`${id}-typed`}
            value={confirm}
            autocomplete="off"
            onInput={(event) => setConfirm(event.currentTarget.value)}
          />
        </>
      ) : null}
      {path.reasoned ? (
        <LongText id={`${id}-reason`} label="Why? It is recorded" max={500} value={reason} change={setReason} />
      ) : null}
      <div class="actions">
        <button type="button" ref={back} disabled={isBusy} onClick={props.back}>
          Back
        </button>
        <button type="submit" class={path.is_drastic ? 'drastic' : 'main'} disabled={isBusy || !isReady}>
          {isBusy ? 'Working…' : `Confirm: ${toLowerFirst(path.title)}`}
        </button>
        {path.typed && isTouched ? (
          <HoldButton isReady={isFilled && !isBusy} held={() => void act(response.task_id)} />
        ) : null}
      </div>
      <ActionResult outcome={outcome?.ok === false ? outcome : undefined} />
      {halt.paths[number - 1]?.effect.to === 'abandoned' ? null : (
        <>
          <LongText
            id={`${id}-say`}
            label="Anything the agents should know? (optional)"
            max={2000}
            value={say}
            change={setSay}
          />
          <Limits id={id} limits={limits} change={setLimits} />
        </>
      )}
    </form>
  );
}

/** Whether the screen is touched: typing an id is a burden there. */
const isTouched = matchMedia('(pointer: coarse)').matches;
const HOLD_MS = 1200;

/** Confirms by being held: nothing that is brushed or tapped by accident. The typed id serves keys and screen readers. */
function HoldButton({ isReady, held }: { readonly isReady: boolean; readonly held: () => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isHeld, setHeld] = useState(false);
  const end = (): void => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  useLayoutEffect(() => end, []);
  return (
    <button
      type="button"
      class={isHeld ? 'drastic hold held' : 'drastic hold'}
      style={{ transitionDuration: isHeld ? `${HOLD_MS}ms` : '0ms' }}
      disabled={!isReady}
      onPointerDown={(event) => {
        // A finger is captured by itself, and would then never leave the button.
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          event.currentTarget.releasePointerCapture(event.pointerId);
        end();
        setHeld(true);
        timer.current = setTimeout(() => {
          end(); // a refused answer must not look confirmed
          held();
        }, HOLD_MS);
      }}
      onPointerUp={end}
      onPointerLeave={end}
      onPointerCancel={end}
      onContextMenu={(event) => event.preventDefault()}
    >
      Hold to confirm
    </button>
  );
}

/** A labelled text of several lines. */
const LongText = (props: {
  readonly id: string;
  readonly label: string;
  readonly max: number;
  readonly value: string;
  readonly change: (text: string) => void;
}) => (
  <>
    <label for={props.id}>{props.label}</label>
    <textarea
      id={props.id}
      value={props.value}
      maxLength={props.max}
      onInput={(event) => props.change(event.currentTarget.value)}
    />
  </>
);

type Money = NonNullable<Summary['money']>;

/** A path that would not carry the next call begins with a sum that does. */
function firstLimits(money: Money | null, futile: string | null): Partial<Record<LimitKey, string>> {
  const sum = money?.sums[0];
  return futile === null || sum === undefined ? {} : { budget_usd: sum.usd.toFixed(2) };
}

/** Why a sum would lead to the same halt again; null where it carries the next call. */
function whyShort({ spent_usd: spent, next_usd: next }: Money, sum: string): string | null {
  const usd = Number(sum);
  if (sum.trim() === '' || Number.isNaN(usd)) return null;
  if (usd <= spent) return `$${spent.toFixed(2)} is used already.`;
  return next === null || usd - spent >= next
    ? null
    : `It leaves $${(usd - spent).toFixed(2)}, and the next call takes about $${next.toFixed(2)}.`;
}

/** What a budget for the whole task allows, or why it would not carry the next call. */
function describeSum(money: Money, usd: number): string {
  const more = `Allows $${usd.toFixed(2)} for the whole task, $${(usd - money.spent_usd).toFixed(2)} more than is used.`;
  return whyShort(money, String(usd)) ?? more;
}

/** Sums for the whole task, by the last calls. */
const Sums = (props: {
  readonly id: string;
  readonly money: Money;
  readonly value: string;
  readonly change: (usd: string) => void;
}) => (
  <fieldset>
    <legend>At most, for the whole task (${props.money.spent_usd.toFixed(2)} is used)</legend>
    <div class="actions">
      {props.money.sums.map(({ rounds, usd }) => (
        <button
          key={rounds}
          type="button"
          aria-pressed={props.value === usd.toFixed(2)}
          onClick={() => props.change(usd.toFixed(2))}
        >
          ${usd.toFixed(2)} <span class="soft">{rounds === 1 ? 'one more round' : 'two rounds'}</span>
        </button>
      ))}
      <label class="hidden" for={`${props.id}-sum`}>
        Another sum in dollars
      </label>
      <input
        id={`${props.id}-sum`}
        class="sum"
        inputMode="decimal"
        placeholder="another sum"
        value={props.value}
        autocomplete="off"
        onInput={(event) => props.change(event.currentTarget.value)}
      />
    </div>
  </fieldset>
);

/** What may be changed along with a path; the line checks it, and says what it makes of it. */
const LIMITS = [
  ['allow', 'Files that it may change as well', 'src/a.ts, docs/'],
  ['model', 'The implementer from now on', ''],
  ['budget_usd', 'The most dollars for the whole task', '5'],
  ['budget_minutes', "The most minutes of agents' time for the whole task", '60'],
  ['max_diff_size', 'The most changed lines', '400'],
] as const satisfies readonly (readonly [key: LimitKey, label: string, example: string])[];

export function Limits(props: {
  readonly id: string;
  readonly limits: Partial<Record<LimitKey, string>>;
  readonly change: (limits: Partial<Record<LimitKey, string>>) => void;
}) {
  return (
    <details>
      <summary>Change limits, files or model with it</summary>
      {LIMITS.map(([key, label, example]) => (
        <div key={key}>
          <label for={`${props.id}-${key}`}>{label}</label>
          <input
            id={`${props.id}-${key}`}
            value={props.limits[key] ?? ''}
            placeholder={example}
            autocomplete="off"
            onInput={(event) => props.change({ ...props.limits, [key]: event.currentTarget.value })}
          />
        </div>
      ))}
    </details>
  );
}

/** The filled fields, as the request takes them; it refuses an invalid number by its name. */
function limitsAsked(limits: Partial<Record<LimitKey, string>>): Record<string, unknown> {
  const toValue = (key: LimitKey, text: string): unknown => {
    if (key === 'allow') return toLines(text.replaceAll(',', '\n'));
    return key === 'model' ? text : Number(text);
  };
  const filled = LIMITS.map(([key]) => [key, limits[key]?.trim() ?? ''] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(filled.map(([key, text]) => [key, toValue(key, text)]));
}
