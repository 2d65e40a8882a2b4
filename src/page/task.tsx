import { useState } from 'preact/hooks';
import { withLocalTimes } from '../base/local-time.ts';
import type { BoardRow } from '../line/board/board.ts';
import type { TaskResponse, Piece } from '../app/web/api-types.ts';
import { listFoundIn } from '../line/reports/task-report/list-found-in.ts';
import { LastAnswer } from '../app/views/halts.tsx';
import { SectionPart, Words } from '../app/views/parts.tsx';
import { KeyFigures, TASK_TABS, TaskHeader, listTaskSections, type TaskTab } from '../app/views/task-sections.tsx';
import { ask } from './ask.ts';
import { CommentableAttempt } from './comment.tsx';
import { FloorManagerDecision } from './floor-manager-decision.tsx';
import { Diff } from './diff.tsx';
import { allRows, now } from './live.ts';
import { TaskSteps } from './line-drawing.tsx';
import { LiveOutput } from './live-output.tsx';
import { LoadingNotice, Sure, useLooked } from './parts.tsx';
import { toCopyOf, toHalt } from './current-route.ts';
import { formatNumber } from '../line/reports/task-report/format-figures.ts';
import { CallCells, type CallFacts } from '../app/views/calls.tsx';

/** One task: its state and time, then its change, review, calls, contract and log in tabs. */
export function TaskPage({ repository, task }: { readonly repository: string; readonly task: string }) {
  const own = `${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
  const rows = allRows.value.filter((row) => row.repository === repository && row.task_id === task);
  const mark = rows.map(({ key, since, phrase }) => `${key} ${since ?? ''} ${phrase}`).join();
  const { value, why } = useLooked<TaskResponse>(`/api/tasks/${own}`, mark);
  const [tab, setTab] = useState<TaskTab>('Change');
  if (value === undefined) return <LoadingNotice why={why} />;
  const { report } = value;
  const station = report.status === 'merged' ? 'merged' : rows.find((row) => row.station !== null)?.station;
  const isOpen = report.status !== 'merged' && report.status !== 'abandoned';
  const sections = listTaskSections(value, {
    change: <Change task={value} />,
    callRow: (call) => <CallRow key={call.call} own={own} call={call} />,
  });
  const counts: Readonly<Partial<Record<TaskTab, number>>> = {
    Change: report.attempts.length,
    Review: report.rounds.length,
    Calls: value.calls.length,
    Log: value.story.length,
  };
  return (
    <>
      <TaskHeader details={value} />
      <div class="actions top">
        {report.halt === null ? null : (
          <a class="button main" href={toHalt(repository, task)}>
            Answer {report.halt.id}
          </a>
        )}
        {report.merged_as === null ? null : report.undone_as === null ? (
          <Undo {...{ repository, task, report }} />
        ) : (
          <p class="good" role="status">
            Undone: {report.target} does not have this change any more.
          </p>
        )}
      </div>
      {station === undefined || station === null ? null : (
        <TaskSteps station={station} isWorking={rows.some(({ kind }) => kind === 'working')} report={report} />
      )}
      {isOpen ? <LastAnswer halts={report.halts} /> : null}
      {rows.map((row) => (row.kind === 'waits' ? <Wait key={row.key} row={row} /> : null))}
      <LiveOutput repository={repository} task={task} />
      <FloorManagerDecision response={value} />
      <details open={!isNarrow()}>
        <summary>Time and cost</summary>
        <KeyFigures figures={value.figures} />
        {sections
          .filter((one) => one.tab === undefined)
          .map((one) => (
            <SectionPart key={one.id} {...one} />
          ))}
      </details>
      <nav class="tabs" aria-label="Parts of the task">
        {TASK_TABS.map((name) => (
          <button key={name} aria-pressed={name === tab} onClick={() => setTab(name)}>
            {name}
            {counts[name] === undefined ? null : <span class="soft"> {counts[name]}</span>}
          </button>
        ))}
      </nav>
      {sections
        .filter((one) => one.tab === tab)
        .map((one) => (
          <SectionPart key={one.id} {...one} />
        ))}
      {tab === 'Contract' ? <a href={toCopyOf(repository, task)}>New task like this</a> : null}
      {isOpen && report.halt === null ? <Act repository={repository} task={task} waits={report.hold !== null} /> : null}
    </>
  );
}

/** What the task waits for, such as an external judge. */
const Wait = ({ row }: { readonly row: BoardRow }) => (
  <p class="wait">
    <Words text={withLocalTimes([row.phrase, row.why].filter(Boolean).join('. '), new Date(now.value))} />
  </p>
);

/** A phone shows the change first; its time and cost are folded. */
const isNarrow = (): boolean => matchMedia('(max-width: 43.99rem)').matches;

/** The diff of one attempt, the latest first, against the base or the attempt before. */
function Change({ task }: { readonly task: TaskResponse }) {
  const { base, rounds, attempts } = task.report;
  const written = attempts.flatMap(({ commit, tree, number }) => (commit === null ? [] : [{ commit, tree, number }]));
  const [chosen, setChosen] = useState<number>();
  const [isAgainstBefore, setAgainstBefore] = useState(false);
  const at = chosen !== undefined && chosen < written.length ? chosen : written.length - 1;
  const [shown, before] = [written[at], written[at - 1]];
  if (shown === undefined) return <p class="soft">There is no change yet.</p>;
  return (
    <>
      {written.length === 1 ? null : (
        <p class="actions">
          {written.map(({ number, commit }, index) => (
            <button key={commit} aria-pressed={index === at} onClick={() => setChosen(index)}>
              Attempt {number}
            </button>
          ))}
          {before === undefined ? null : (
            <button aria-pressed={isAgainstBefore} onClick={() => setAgainstBefore(!isAgainstBefore)}>
              Against the attempt before
            </button>
          )}
        </p>
      )}
      <CommentableAttempt key={shown.commit} response={task} attempt={shown}>
        <Diff
          repository={task.repository}
          task={task.task_id}
          from={isAgainstBefore && before !== undefined ? before.commit : base}
          to={shown.commit}
          found={listFoundIn(rounds, shown.number)}
        />
      </CommentableAttempt>
    </>
  );
}

/** Says what an undo does before it is confirmed; its gates may take minutes. */
function Undo(props: { readonly repository: string; readonly task: string; readonly report: TaskResponse['report'] }) {
  const { repository, task, report } = props;
  const change = report.diff === null ? 'the change' : `this change (${report.diff})`;
  return (
    <Sure
      what="Undo this merge"
      sure={`Confirm: undo ${task}`}
      note={`A new commit takes ${change} out of ${report.target} again, if the gates are green without it. Nothing is removed from the history: the merge and every attempt stay.`}
      act={() => ask(`/api/asks/${encodeURIComponent(repository)}`, { do: 'undo', taskId: task })}
    />
  );
}

function Act({
  repository,
  task,
  waits,
}: {
  readonly repository: string;
  readonly task: string;
  readonly waits: boolean;
}) {
  const [reason, setReason] = useState('');
  const path = `/api/asks/${encodeURIComponent(repository)}`;
  return (
    <section aria-labelledby="act" class="narrow">
      <h2 id="act">Act</h2>
      <label for="reason">Why halt it?</label>
      <input id="reason" value={reason} maxLength={300} onInput={(event) => setReason(event.currentTarget.value)} />
      <Sure
        what="Halt this task"
        sure={`Confirm: halt ${task}`}
        act={() => ask(path, { do: 'halt', taskId: task, reason })}
      />
      {waits ? (
        <Sure what="Retry now" sure="Confirm: retry now" act={() => ask(path, { do: 'retry', taskId: task })} />
      ) : null}
    </section>
  );
}

interface Wanted {
  readonly own: string;
  readonly call: number;
  readonly what: 'prompt' | 'answer';
}

/** A call that opens in place: its prompt and its answer. */
function CallRow({ own, call }: { readonly own: string; readonly call: CallFacts }) {
  const [what, setWhat] = useState<Wanted['what']>();
  return (
    <>
      <tr>
        <CallCells call={call} />
        <td class="k">
          {(['prompt', 'answer'] as const).map((one) => (
            <button
              key={one}
              class="inline"
              aria-expanded={what === one}
              onClick={() => setWhat(what === one ? undefined : one)}
            >
              {one} <span class="hidden">of call {call.call}</span>
            </button>
          ))}
        </td>
      </tr>
      {what === undefined ? null : (
        <tr>
          <td colSpan={8}>
            <Pieces key={what} own={own} call={call.call} what={what} />
          </td>
        </tr>
      )}
    </>
  );
}

function Pieces({ own, call, what }: Wanted) {
  const [begins, setBegins] = useState<readonly number[]>([0]);
  const { value, why } = useLooked<Piece>(`/api/tasks/${own}/calls/${call}/${what}?from=${begins.at(-1) ?? 0}`);
  if (value === undefined) return <LoadingNotice why={why} />;
  const { text, from, to, total } = value;
  return (
    <>
      <pre tabIndex={0} aria-label={`${what} of call ${call}`}>
        {text}
      </pre>
      {from === 0 && to >= total ? null : (
        <p class="actions small">
          <button disabled={begins.length === 1} onClick={() => setBegins(begins.slice(0, -1))}>
            Before
          </button>
          bytes {formatNumber(from + 1)} to {formatNumber(to)} of {formatNumber(total)}
          <button disabled={to >= total} onClick={() => setBegins([...begins, to])}>
            Further
          </button>
        </p>
      )}
    </>
  );
}
