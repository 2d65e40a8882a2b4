import { useState } from 'preact/hooks';
import type { LimitKey, ActionOutcome, TaskResponse } from '../surfaces/web/api-types.ts';
import { ask } from './ask.ts';
import { Diff } from './diff.tsx';
import { board } from './live.ts';
import { Gates } from '../views/attempts.tsx';
import { listFoundIn } from '../views/diff-rows.tsx';
import type { HaltFacts } from '../views/halts.tsx';
import { When, Words } from '../views/parts.tsx';
import { Rounds } from '../views/review-rounds.tsx';
import { ActionResult, Sure, LoadingNotice, useLooked } from './parts.tsx';
import { currentRoute, toTask } from './current-route.ts';

/** One halt: its question, both positions and both paths; a choice needs a tap and a confirmation. */
export function HaltPage({ repository, task }: { readonly repository: string; readonly task: string }) {
  const rows =
    board.value?.lanes.needs_you.filter((row) => row.repository === repository && row.task_id === task) ?? [];
  const { value, why } = useLooked<TaskResponse>(
    `/api/tasks/${encodeURIComponent(repository)}/${encodeURIComponent(task)}`,
    rows[0]?.halt_id ?? board.value?.at,
  );
  const [outcome, setOutcome] = useState<ActionOutcome>();
  if (value === undefined) return <LoadingNotice why={why} />;
  const { report } = value;
  const halt = report.halt === null ? undefined : report.halts.findLast(({ id }) => id === report.halt?.id);
  const meant = currentRoute.value.asked.get('halt');
  const last = report.attempts.findLast(({ commit }) => commit !== null);
  return (
    <>
      <h1>{report.title}</h1>
      <p>
        {task}: {halt === undefined ? 'not halted' : `halted by ${halt.trip.breaker}`}.{' '}
        <a href={toTask(repository, task)}>The whole task</a> <span class="soft small">{value.root}</span>
      </p>
      {meant !== null && meant !== halt?.id ? (
        <p class="wait">
          The halt in your notification ({meant}) is no longer open;{' '}
          {halt === undefined ? report.outcome : `this is ${halt.id}`}.
        </p>
      ) : null}
      {halt === undefined ? <p>{report.outcome}</p> : <Standing halt={halt} told={value} came={setOutcome} />}
      <ActionResult outcome={outcome} />
      {last?.commit === undefined || last.commit === null ? null : (
        <section aria-labelledby="change">
          <h2 id="change">The change, attempt {last.number}</h2>
          <Diff
            repository={repository}
            task={task}
            from={report.base}
            to={last.commit}
            found={listFoundIn(report.rounds, last.number)}
          />
          <Gates attempts={[last]} />
        </section>
      )}
      <Rounds rounds={report.rounds.slice(-2)} />
    </>
  );
}

/** An open halt; the page shows the outcome of an answer, because the halt is gone then. */
function Standing(props: {
  readonly halt: HaltFacts;
  readonly told: TaskResponse;
  readonly came: (outcome: ActionOutcome) => void;
}) {
  const { halt, told, came } = props;
  const question = told.breakers.find(({ id }) => id === halt.trip.breaker)?.question;
  return (
    <>
      <section aria-labelledby="asked">
        <h2 id="asked">
          <Words text={question ?? 'The conflict'} />
        </h2>
        <p>
          <Words text={halt.trip.reason} />
        </p>
        <p class="soft small">
          since <When at={halt.at} />, {halt.id}
        </p>
        {halt.trip.sides.map(({ who, says }) => (
          <div key={who}>
            <h3>
              <Words text={who} />
            </h3>
            <blockquote>{says}</blockquote>
          </div>
        ))}
        {halt.also.map(({ breaker, reason }) => (
          <p key={breaker} class="small">
            Also {breaker}: <Words text={reason} />
          </p>
        ))}
      </section>
      <section aria-labelledby="paths">
        <h2 id="paths">Two paths</h2>
        <div class="paths">
          {halt.paths.map((path, at) => (
            <PathCard key={path.title} {...{ halt, told, path, came }} number={at === 0 ? 1 : 2} />
          ))}
        </div>
      </section>
    </>
  );
}

function PathCard(props: {
  readonly halt: HaltFacts;
  readonly told: TaskResponse;
  readonly path: HaltFacts['paths'][number];
  readonly number: 1 | 2;
  readonly came: (outcome: ActionOutcome) => void;
}) {
  const { halt, told, path, number } = props;
  const [confirm, setConfirm] = useState('');
  const [reason, setReason] = useState('');
  const [say, setSay] = useState('');
  const [limits, setLimits] = useState<Partial<Record<LimitKey, string>>>({});
  const id = `path-${number}`;
  const where = [told.repository, told.task_id, halt.id].map(encodeURIComponent).join('/');
  return (
    <div class="path">
      <h3>
        Path {number}: {path.title}
      </h3>
      <p>
        <Words text={path.does} />
      </p>
      {path.typed === true ? (
        <>
          <label for={`${id}-typed`}>Type {told.task_id} to take it</label>
          <input
            id={`${id}-typed`}
            value={confirm}
            autocomplete="off"
            onInput={(event) => setConfirm(event.currentTarget.value)}
          />
        </>
      ) : null}
      {path.reasoned === true ? (
        <>
          <label for={`${id}-reason`}>Why? It is recorded</label>
          <textarea
            id={`${id}-reason`}
            value={reason}
            maxLength={500}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </>
      ) : null}
      {path.effect.to === 'abandoned' ? null : (
        <>
          <label for={`${id}-say`}>Tell the agents (optional)</label>
          <textarea
            id={`${id}-say`}
            value={say}
            maxLength={2000}
            onInput={(event) => setSay(event.currentTarget.value)}
          />
          <Limits id={id} limits={limits} change={setLimits} />
        </>
      )}
      <Sure
        main
        came={props.came}
        what={`Take path ${number}`}
        sure={`Confirm path ${number}`}
        isReady={(path.typed !== true || confirm === told.task_id) && (path.reasoned !== true || reason.trim() !== '')}
        act={() =>
          ask(`/api/halts/${where}`, {
            path: number,
            ...(path.typed === true ? { confirm } : {}),
            ...(path.reasoned === true ? { reason } : {}),
            ...(say.trim() === '' ? {} : { say: say.trim() }),
            ...limitsAsked(limits),
          })
        }
      />
    </div>
  );
}

/** What may be changed along with a path; the line checks it, and says what it makes of it. */
const LIMITS = [
  ['allow', 'Files that it may change as well', 'src/a.ts, docs/'],
  ['model', 'The implementer from now on', ''],
  ['budget_usd', 'The most dollars for the whole task', '5'],
  ['max_diff', 'The most changed lines', '400'],
] as const satisfies readonly (readonly [key: LimitKey, label: string, example: string])[];

function Limits(props: {
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

/** The filled fields as the request takes them; a number that is none is refused there, by its name. */
function limitsAsked(limits: Partial<Record<LimitKey, string>>): Record<string, unknown> {
  const toValue: Record<LimitKey, (text: string) => unknown> = {
    allow: (text) =>
      text
        .split(/[,\n]/)
        .map((path) => path.trim())
        .filter((path) => path !== ''),
    model: (text) => text,
    budget_usd: Number,
    max_diff: Number,
  };
  const filled = LIMITS.map(([key]) => [key, limits[key]?.trim() ?? ''] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(filled.map(([key, text]) => [key, toValue[key](text)]));
}
