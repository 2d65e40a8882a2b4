import { useState } from 'preact/hooks';
import { formatDollars, formatDuration, formatNumber } from '../line/documents/task-report/words.ts';
import { BOARD_LANES } from '../line/board/board.ts';
import type { AttemptFacts, TaskResponse } from '../surfaces/web/api-types.ts';
import { ask } from './ask.ts';
import { Calls } from './calls.tsx';
import { Diff, listFoundIn } from './diff.tsx';
import { board } from './live.ts';
import { LiveOutput } from './live-output.tsx';
import { Sheet, Sure, LoadingNotice, When, Words, useLooked } from './parts.tsx';
import { Picture } from './picture.tsx';
import { Gates, Rounds } from './task-parts.tsx';
import { toHalt } from './current-route.ts';

/** One task: its state, attempts, findings, calls, cost and story. */
export function TaskPage({ repository, task }: { readonly repository: string; readonly task: string }) {
  const own = `${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
  const rows = BOARD_LANES.flatMap(
    (lane) => board.value?.lanes[lane].filter((row) => row.repository === repository && row.task_id === task) ?? [],
  );
  const mark = rows.map(({ key, since, what }) => `${key} ${since ?? ''} ${what}`).join();
  const { value, why } = useLooked<TaskResponse>(`/api/tasks/${own}`, mark);
  if (value === undefined) return <LoadingNotice why={why} />;
  const { report } = value;
  const isOpen = report.status !== 'merged' && report.status !== 'abandoned';
  return (
    <>
      <h1>
        {report.title} <span class="soft small">{task}</span>{' '}
        <span class={`chip ${report.status === 'merged' ? 'good' : report.halt === null ? 'wait' : 'bad'}`}>
          {report.status}
        </span>
      </h1>
      <p>{report.outcome}</p>
      {report.journal_is_whole ? null : (
        <p class="bad">The journal is not as andon wrote it: see andon doctor --journal.</p>
      )}
      {report.halt === null ? null : (
        <p class="actions">
          <a class="button main" href={toHalt(repository, task)}>
            Answer {report.halt.id}
          </a>
        </p>
      )}
      <LiveOutput repository={repository} task={task} />
      <Figures told={value} />
      <p>
        <a href={`/report/${own}`}>The whole report as a page to keep</a>
      </p>
      <Timeline told={value} />
      <section aria-labelledby="attempts">
        <h2 id="attempts">Attempts ({report.attempts.length})</h2>
        {report.attempts.map((one, at) => (
          <Attempt key={`${one.number} ${one.at}`} told={value} one={one} before={report.attempts[at - 1]} />
        ))}
      </section>
      <Rounds rounds={report.rounds} />
      <Cost rows={report.cost_by_role} />
      <Calls calls={value.calls} own={own} />
      <section aria-labelledby="more">
        <h2 id="more">More</h2>
        <details>
          <summary>Every breaker's answer</summary>
          <ul>
            {value.breakers.map(({ id, question, answer }) => (
              <li key={id}>
                <b>{id}</b> <Words text={question} /> <span class={answer === 'no' ? 'soft' : 'bad'}>{answer}</span>
              </li>
            ))}
          </ul>
        </details>
        <details>
          <summary>Contract</summary>
          <pre>{value.contract}</pre>
        </details>
        <details>
          <summary>Story ({value.story.length})</summary>
          <ul>
            {value.story.map(({ at, text }, index) => (
              <li key={index}>
                <When at={at} /> {text}
              </li>
            ))}
          </ul>
        </details>
      </section>
      {isOpen && report.halt === null ? <Halt repository={repository} task={task} /> : null}
    </>
  );
}

function Figures({ told: { report } }: { readonly told: TaskResponse }) {
  const figures: readonly (readonly [string, string])[] = [
    ['cost', report.cost_usd === null ? 'not wholly known' : formatDollars(report.cost_usd)],
    ['agents', formatDuration(report.agent_minutes * 60_000)],
    ['tokens', report.tokens === null ? 'not wholly known' : formatNumber(report.tokens)],
    ['attempts', String(report.attempts.length)],
    ['verdict', report.verdict ?? 'none'],
    ['waited for you', formatDuration(report.waited_for_human_ms)],
    ['target', report.target],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Attempt(props: {
  readonly told: TaskResponse;
  readonly one: AttemptFacts;
  readonly before: AttemptFacts | undefined;
}) {
  const { told, one } = props;
  const [isOpen, setOpen] = useState(false);
  const [against, setAgainst] = useState(told.report.base);
  const before = props.before?.commit ?? null;
  return (
    <details onToggle={(event) => event.currentTarget === event.target && setOpen(event.currentTarget.open)}>
      <summary>
        Attempt {one.number}: {one.fate}
      </summary>
      {isOpen && one.commit !== null ? (
        <>
          {before === null ? null : (
            <p class="actions">
              <button aria-pressed={against !== before} onClick={() => setAgainst(told.report.base)}>
                Against the base
              </button>
              <button aria-pressed={against === before} onClick={() => setAgainst(before)}>
                Against the attempt before
              </button>
            </p>
          )}
          <Diff
            repository={told.repository}
            task={told.task_id}
            from={against}
            to={one.commit}
            found={listFoundIn(told.report.rounds, one.number)}
          />
        </>
      ) : null}
      <Gates attempt={one} />
    </details>
  );
}

/** The timeline; its marks are explained in words, the details are in the story. */
const Timeline = ({ told: { picture } }: { readonly told: TaskResponse }) => (
  <section aria-labelledby="time">
    <h2 id="time">Timeline</h2>
    <Picture drawings={picture} />
    <p class="soft small">
      Filled: work, hatched where it was sent back, failed or stopped the line. Dashed: waits for an agent. Behind it:
      halts, each with its number; a diamond is a human’s choice. Long stretches without work are drawn shorter (//).
    </p>
  </section>
);

/** Usage of each role, in both currencies. */
const Cost = ({ rows }: { readonly rows: TaskResponse['report']['cost_by_role'] }) =>
  rows.length === 0 ? null : (
    <section aria-labelledby="cost">
      <h2 id="cost">Cost</h2>
      <Sheet name="cost by role" heads={['Role', 'Model', 'Calls', 'Dollars', 'Time of agents', 'Tokens']}>
        {rows.map((one) => (
          <tr key={`${one.station} ${one.model}`}>
            <td>{one.station}</td>
            <td>{one.model}</td>
            <td class="n">{one.calls}</td>
            <td class="n">
              {one.calls_not_wholly_reported > 0 ? 'at least ' : ''}
              {formatDollars(one.usd)}
            </td>
            <td class="n">{formatDuration(one.agent_minutes * 60_000)}</td>
            <td class="n">{formatNumber(one.tokens_in + one.tokens_out)}</td>
          </tr>
        ))}
      </Sheet>
    </section>
  );

function Halt({ repository, task }: { readonly repository: string; readonly task: string }) {
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
      <Sure
        what="Try a call that waits now"
        sure="Confirm: try now"
        act={() => ask(path, { do: 'retry', taskId: task })}
      />
    </section>
  );
}
