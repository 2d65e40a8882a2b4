import { useRef, useState } from 'preact/hooks';
import { describeFailedTests, extractFailures, listFailureLines } from '../base/failure-excerpt.ts';
import { toSingleLine } from '../base/plain-text.ts';
import { toSentence } from '../base/to-sentence.ts';
import { formatDollars } from '../line/reports/task-report/format-figures.ts';
import type { ActionOutcome, TaskResponse } from '../app/web/api-types.ts';
import type { AttemptFacts } from '../line/reports/task-report/list-attempts.ts';
import type { HaltFacts } from '../line/reports/task-report/list-halts.ts';
import { Gates } from '../app/views/attempts.tsx';
import { listFoundIn } from '../line/reports/task-report/list-found-in.ts';
import { Items, When, Words } from '../app/views/parts.tsx';
import { LastAnswer } from '../app/views/halts.tsx';
import { Rounds } from '../app/views/review-rounds.tsx';
import { AnswerNotice } from './answer-notice.tsx';
import { Commentable, SendBack, type CommentTarget } from './comment.tsx';
import { HaltAnswer } from './halt-answer.tsx';
import { Diff } from './diff.tsx';
import { board, findBoardRepository } from './live.ts';
import { ActionResult, LoadingNotice, useLooked } from './parts.tsx';
import { needGroups } from './selection.ts';
import { currentRoute, toCopyOf, toTask } from './current-route.ts';

interface HaltProps {
  readonly repository: string;
  readonly task: string;
  readonly heading?: 'h1' | 'h2';
}

/** What came of an answer, and where the button was; a refusal is shown there while its halt is open. */
interface Answer {
  readonly outcome: ActionOutcome;
  readonly haltId: string;
  readonly by: 'paths' | 'comments';
}

/** One halt in the order of a decision: what was wanted, the question, both sides, both paths, the change, the rest. */
export function HaltPage({ repository, task, heading: Heading = 'h1' }: HaltProps) {
  const isMine = (row: { readonly repository: string; readonly task_id: string | null }): boolean =>
    row.repository === repository && row.task_id === task;
  const row = board.value?.lanes.needs_you.find(isMine);
  const own = `${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
  const { value, why } = useLooked<TaskResponse>(`/api/tasks/${own}`, row?.halt_id ?? board.value?.at);
  const [answer, setAnswer] = useState<Answer>();
  // Its place among the needs as long as it was one: the next one is found from there.
  const place = useRef({ at: 0, keys: [] as readonly string[] });
  const at = needGroups.value.findIndex(({ rows }) => rows.some(isMine));
  if (at !== -1 && answer === undefined) place.current = { at, keys: row === undefined ? [] : [row.key] };
  if (value === undefined) return <LoadingNotice why={why} />;
  const { report } = value;
  const halt = report.halt === null ? undefined : report.halts.findLast(({ id }) => id === report.halt?.id);
  const last = report.attempts.findLast(({ commit }) => commit !== null);
  const { outcome } = answer ?? {};
  const came = (by: Answer['by']) => (outcome: ActionOutcome) => setAnswer({ outcome, haltId: halt?.id ?? '', by });
  const refused = answer?.outcome.ok === false ? answer : undefined;
  // A new halt of the task is a new question.
  const isHaltedAgain = outcome?.ok === true && halt !== undefined && halt.id !== answer?.haltId;
  const isAnswered = outcome?.ok === true && !isHaltedAgain;
  const sendBack = isAnswered ? undefined : findCommentTarget(value, halt);
  return (
    <Commentable key={halt?.id} {...{ repository, task, tree: sendBack?.tree ?? null }}>
      <article class="halt">
        <Crumb response={value} halt={halt} />
        <Heading>{report.title}</Heading>
        <Wanted requirements={value.contract.requirements} title={report.title} />
        <OtherHalt current={halt} otherwise={report.outcome} />
        {isHaltedAgain ? <p class="wait">Your answer was taken. The task has halted again since:</p> : null}
        {isAnswered ? null : <LastAnswer halts={report.halts} />}
        {isAnswered ? (
          <AnswerNotice said={outcome.said} keys={place.current.keys} from={place.current.at} />
        ) : halt === undefined || report.halt === null ? (
          <p>{report.outcome}</p>
        ) : (
          <>
            <Asked halt={halt} question={report.halt.summary.question} />
            <HaltAnswer
              key={halt.id}
              response={value}
              halt={halt}
              summary={report.halt.summary}
              sendBack={sendBack}
              came={came('paths')}
            />
          </>
        )}
        {refused === undefined || refused.haltId === halt?.id ? null : <ActionResult outcome={refused.outcome} />}
        <Change response={value} attempt={last} />
        {sendBack === undefined ? null : (
          <SendBack
            {...sendBack}
            came={came('comments')}
            refused={refused?.by === 'comments' ? refused.outcome : undefined}
          />
        )}
        {report.rounds.length === 0 && last === undefined ? null : (
          <details>
            <summary>Gates and findings</summary>
            {last === undefined ? null : <Gates attempts={[last]} />}
            <Rounds rounds={report.rounds.slice(-2)} />
          </details>
        )}
        <p class="soft">
          <a href={toTask(repository, task)}>The whole task</a> in <code>{toSingleLine(value.root)}</code> ·{' '}
          <a href={toCopyOf(repository, task)}>New task like this</a>
        </p>
      </article>
    </Commentable>
  );
}

/** Where comments on the change of a halt go; undefined where they cannot go back. */
function findCommentTarget(
  { repository, task_id: task, report }: TaskResponse,
  halt: HaltFacts | undefined,
): CommentTarget | undefined {
  const does = report.halt?.send_back;
  if (halt === undefined || halt.tree === null || typeof does !== 'string') return undefined;
  return { repository, task, tree: halt.tree, haltId: halt.id, does };
}

/** Where the task is from and how far it came, in one line. */
const Crumb = (props: { readonly response: TaskResponse; readonly halt: HaltFacts | undefined }) => {
  const { repository, task_id: task, report } = props.response;
  const newest = report.attempts.at(-1);
  return (
    <p class="crumb">
      {findBoardRepository(repository)?.name ?? report.project} · <a href={toTask(repository, task)}>{task}</a>
      {newest === undefined ? '' : ` · attempt ${newest.number}`}
      {report.diff === null ? '' : ` · ${report.diff}`}
      {report.cost_usd === null || report.cost_usd === 0 ? '' : ` · ${formatDollars(report.cost_usd)}`}
      {props.halt === undefined ? null : (
        <>
          {' · '}since <When at={props.halt.at} />
        </>
      )}
    </p>
  );
};

/** That the halt of a notification is over, when the page was opened from one. */
function OtherHalt({ current, otherwise }: { readonly current: HaltFacts | undefined; readonly otherwise: string }) {
  const meant = currentRoute.value.kind === 'halt' ? currentRoute.value.asked.get('halt') : null;
  return meant === null || meant === current?.id ? null : (
    <p class="wait">
      The halt in your notification ({meant}) is no longer open;{' '}
      {current === undefined ? otherwise : `this is ${current.id}`}.
    </p>
  );
}

/** What the last attempt with a commit changed, its failed tests first. */
function Change({
  response,
  attempt,
}: {
  readonly response: TaskResponse;
  readonly attempt: AttemptFacts | undefined;
}) {
  if (attempt?.commit === undefined || attempt.commit === null) return null;
  const { repository, task_id: task, report } = response;
  return (
    <section aria-labelledby="change">
      <FailedTests attempt={attempt} />
      <h2 id="change">Change{attempt === report.attempts.at(-1) ? '' : ` of attempt ${attempt.number}`}</h2>
      <Diff
        repository={repository}
        task={task}
        from={report.base}
        to={attempt.commit}
        found={listFoundIn(report.rounds, attempt.number)}
      />
    </section>
  );
}

function Wanted({ requirements, title }: { readonly requirements: readonly string[]; readonly title: string }) {
  const others = requirements.filter((one) => one.trim() !== title);
  const [shown, folded] = [others.slice(0, 2), others.slice(2)];
  if (others.length === 0) return null;
  return (
    <div class="wanted">
      <Items items={shown} />
      {folded.length === 0 ? null : (
        <details>
          <summary>{folded.length} more</summary>
          <Items items={folded} />
        </details>
      )}
    </div>
  );
}

/** The question, its reason, and both sides beside each other. */
const Asked = ({ halt, question }: { readonly halt: HaltFacts; readonly question: string }) => (
  <section id="asked" aria-labelledby="question">
    <h2 id="question" class="ask">
      <Words text={question} />
    </h2>
    <p class="soft">
      <Words text={toSentence(toPlain(halt.trip.reason))} />
    </p>
    <div class="sides">
      {halt.trip.sides.map(({ who, says }) => (
        <Side key={who} who={who} says={says} />
      ))}
    </div>
    {halt.also.map(({ breaker, reason }) => (
      <p key={breaker} class="soft">
        Also: <Words text={toPlain(reason)} />
      </p>
    ))}
  </section>
);

/** A sentence without the keys of the contract that it names in brackets, and with whole cents as such; the log has both. */
const toPlain = (text: string): string =>
  text
    .replace(/ \([a-z]+(?:_[a-z]+)+\)/g, '')
    .replace(/\([a-z]+(?:_[a-z]+)+: /g, '(')
    .replace(/(\$\d+\.\d\d)00\b/g, '$1');

/** More of a side is folded. */
const [MOST_TEXT, MOST_LINES] = [280, 5];
/** Failed tests of a gate that are named. */
const MOST_FAILED = 5;

/** One side; what a gate printed begins with its first failure. */
function Side(side: { readonly who: string; readonly says: string }) {
  const { who } = side;
  const isOutput = who.startsWith('gate ');
  const says = who === 'ledger' ? toPlain(side.says) : side.says;
  const lines = isOutput
    ? (listFailureLines(says) ?? extractFailures(says, MOST_TEXT * 2).split('\n')).slice(0, MOST_LINES * 2)
    : says.slice(0, MOST_TEXT).split('\n').slice(0, MOST_LINES);
  const shown = lines.join('\n').trimEnd();
  const text = (one: string) => (isOutput ? <pre tabIndex={0}>{one}</pre> : <blockquote>{one}</blockquote>);
  return (
    <div class="side">
      <h3>
        <Words text={toSentence(who)} />
      </h3>
      {text(shown.length < says.trimEnd().length && !isOutput ? `${shown}…` : shown)}
      {shown.length < says.trimEnd().length ? (
        <details>
          <summary>All of it</summary>
          {text(says)}
        </details>
      ) : null}
    </div>
  );
}

function FailedTests({ attempt }: { readonly attempt: AttemptFacts }) {
  const red = attempt.gates.filter(({ outcome, failures = [] }) => outcome !== 'green' && failures.length > 0);
  const failed = red.flatMap(({ name: gate, failures = [] }) =>
    failures.slice(0, MOST_FAILED).map((one) => (red.length === 1 ? one : { ...one, name: `${gate}: ${one.name}` })),
  );
  return failed.length === 0 ? null : (
    <pre tabIndex={0} aria-label="failed tests">
      {describeFailedTests(failed)}
    </pre>
  );
}
