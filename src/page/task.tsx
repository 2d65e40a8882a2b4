import { useState } from 'preact/hooks';
import { count, dollars, duration, grouped } from '../line/documents/task-report/words.ts';
import { LANES } from '../line/board/board.ts';
import type { AttemptFacts, TaskTold } from '../surfaces/web/told.ts';
import { ask } from './ask.ts';
import { Diff } from './diff.tsx';
import { board } from './live.ts';
import { Sheet, Sure, Waits, When, useLooked } from './parts.tsx';
import { CallText, Gates, Rounds } from './task-parts.tsx';
import { toHalt } from './way.ts';

/** One task: where it stands, its attempts, findings, calls, cost and story. */
export function TaskPage({ repository, task }: { readonly repository: string; readonly task: string }) {
  const own = `${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
  const rows = LANES.flatMap(
    (lane) => board.value?.lanes[lane].filter((row) => row.repository === repository && row.task_id === task) ?? [],
  );
  const mark = rows.map(({ key, since, what }) => `${key} ${since ?? ''} ${what}`).join();
  const { value, why } = useLooked<TaskTold>(`/api/tasks/${own}`, mark);
  if (value === undefined) return <Waits why={why} />;
  const { report } = value;
  const isOpen = report.status !== 'merged' && report.status !== 'abandoned';
  return (
    <>
      <h1>
        {task}{' '}
        <span class={`chip ${report.status === 'merged' ? 'good' : report.halt === null ? 'wait' : 'bad'}`}>
          {report.status}
        </span>
      </h1>
      <p>{report.outcome}</p>
      {value.is_whole ? null : <p class="bad">The journal is not as andon wrote it: see andon verify.</p>}
      {report.halt === null ? null : (
        <p class="actions">
          <a class="button main" href={toHalt(repository, task)}>
            Answer {report.halt.id}
          </a>
        </p>
      )}
      <Figures told={value} />
      <p>
        <a href={`/report/${own}`}>The whole report, with its timeline</a>
      </p>
      <section aria-labelledby="attempts">
        <h2 id="attempts">Attempts ({report.attempts.length})</h2>
        {report.attempts.map((one, at) => (
          <Attempt key={`${one.number} ${one.at}`} told={value} one={one} before={report.attempts[at - 1]} />
        ))}
      </section>
      <Rounds rounds={report.rounds} />
      <Calls told={value} own={own} />
      <section aria-labelledby="more">
        <h2 id="more">More</h2>
        <details>
          <summary>Every breaker's answer</summary>
          <ul>
            {value.breakers.map(({ id, question, answer }) => (
              <li key={id}>
                <b>{id}</b> {question} <span class={answer === 'no' ? 'soft' : 'bad'}>{answer}</span>
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

function Figures({ told: { report } }: { readonly told: TaskTold }) {
  const figures: readonly (readonly [string, string])[] = [
    ['cost', report.cost_usd === null ? 'not wholly known' : dollars(report.cost_usd)],
    ['agents', duration(report.agent_minutes * 60_000)],
    ['tokens', report.tokens === null ? 'not wholly known' : grouped(report.tokens)],
    ['attempts', String(report.attempts.length)],
    ['verdict', report.verdict ?? 'none'],
    ['waited for you', duration(report.waited_for_human_ms)],
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
  readonly told: TaskTold;
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
          <Diff repository={told.repository} task={told.task_id} from={against} to={one.commit} />
        </>
      ) : null}
      <Gates attempt={one} />
    </details>
  );
}

const Calls = ({ told, own }: { readonly told: TaskTold; readonly own: string }) => (
  <section aria-labelledby="calls">
    <h2 id="calls">{count(told.calls.length, 'call')}</h2>
    <Sheet name="calls of agents" heads={['Who', 'Model', 'Time', 'Cost', 'Tokens', 'What was said']}>
      {told.calls.map((call) => (
        <tr key={call.call}>
          <td class={call.ok ? '' : 'bad'}>
            {call.call}. {call.station}
            {call.why === null ? '' : `: ${call.why}`}
          </td>
          <td>{call.model}</td>
          <td class="n">{duration(call.ms)}</td>
          <td class="n">{call.usd === null ? 'unknown' : dollars(call.usd)}</td>
          <td class="n">{call.tokens === null ? 'unknown' : grouped(call.tokens)}</td>
          <td>
            <CallText where={`/api/tasks/${own}/calls/${call.call}`} what="prompt" />
            <CallText where={`/api/tasks/${own}/calls/${call.call}`} what="answer" />
          </td>
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
