import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { toShellWord } from '../../base/shell-word.ts';
import type { Hold, TaskRecord } from '../record/task-record.ts';
import type { Halt } from '../record/trip.ts';
import { formatCount } from '../../base/format-count.ts';
import type { RefusalView } from '../words/line-facts.ts';
import { listObstacles } from '../words/list-obstacles.ts';
import { awaitsDecision, awaitsYourVerdict, getReportNonce } from '../core/find-outside-wait.ts';
import { completeResumeCommand, reportCommand } from '../halts/resume-command.ts';
import { noteSuggestion, summarizeHalt } from '../halts/halt-summary.ts';
import { viewHold } from '../core/compute-next-try.ts';
import { joinReason } from '../words/view-activity.ts';
import { HALT_WORDS, phraseOfHalt } from '../halts/halt-words.ts';
import type { Need, SuggestedCommand } from './digest.ts';
import { toDigestLine, type RepositoryNight, type TaskStory } from './repository-night.ts';

/** The sources of needs: the state of the line, and its tasks. */
type NeedSource = Pick<RepositoryNight, 'root' | 'line' | 'damage'>;
type Task = Pick<TaskStory, 'taskId' | 'record'>;

/** Everything that waits for you: open halts, your decisions, refused contracts, a blocked line, overdue waits. */
export function listNeeds(night: NeedSource, stories: readonly Task[], now: string): readonly Need[] {
  const open = stories.filter(({ record }) => !TERMINAL.includes(record.status));
  const halted = open.flatMap((story) =>
    story.record.halt === undefined ? [] : [haltOf(night, story, story.record.halt)],
  );
  const decided = open.filter(({ record }) => awaitsDecision(record));
  return [
    ...halted,
    ...decided.map((story) => decisionOf(night, story)),
    ...open.filter(({ record }) => awaitsYourVerdict(record)).map((story) => verdictOf(night, story)),
    ...(night.line?.refusals ?? []).map((refusal) => refusedOf(night, refusal)),
    ...listStandstillNeeds(night, open.length > 0),
    ...open.flatMap(({ taskId, record }) => {
      const hold = findOverdueHold(record, now);
      return hold === undefined ? [] : [overdueOf(night, taskId, hold)];
    }),
  ];
}

const needOf = (
  { root }: NeedSource,
  kind: Need['kind'],
  what: string,
  why: string,
  more: Partial<Need> = {},
): Need => ({
  repository: root,
  task_id: null,
  kind,
  what,
  since: null,
  question: null,
  why,
  halt_id: null,
  ways: [],
  ...more,
});

function haltOf(night: NeedSource, { taskId, record }: Task, halt: Halt): Need {
  const { trip, also } = halt;
  const others = also.length === 0 ? '' : `; also: ${also.map(({ breaker }) => phraseOfHalt(breaker)).join(', ')}`;
  const what = `${HALT_WORDS[trip.breaker].phrase}${record.parked === undefined ? '' : '; set aside, it blocks no other task'}`;
  return needOf(night, 'halt', what, toDigestLine(`${trip.reason}${others}${noteRefused(record)}`, 600), {
    task_id: taskId,
    since: record.updatedAt,
    question: toDigestLine(HALT_WORDS[trip.breaker].ask(record, halt), 300),
    halt_id: toDigestLine(halt.id, 100),
    ways: toShellWord(halt.id) === halt.id ? [...pathsOf(record, halt), whole(taskId)] : [],
  });
}

const noteRefused = ({ refusedAnswer }: TaskRecord): string =>
  refusedAnswer === undefined ? '' : `; your last answer did not count: ${refusedAnswer}`;

function pathsOf(record: TaskRecord, halt: Halt): readonly SuggestedCommand[] {
  const summary = summarizeHalt(record, halt);
  return halt.paths.map((path, at) => {
    const number = at === 0 ? 1 : 2;
    return {
      title: `Path ${number}: ${toDigestLine(path.title)}`,
      does: toDigestLine(`${path.does}${noteSuggestion(summary, number)}`, 600),
      command: completeResumeCommand(record.taskId, number, halt.id, path),
    };
  });
}

const whole = (taskId: string): SuggestedCommand => ({
  title: 'Full report',
  does: '',
  command: reportCommand(taskId),
});

/** The floor manager is a person. */
function decisionOf(night: NeedSource, { taskId, record }: Task): Need {
  const verdict = record.report?.verdict;
  const nonce = getReportNonce(record) ?? '';
  const decide = (title: string, does: string, decision: string): SuggestedCommand => ({
    title,
    does,
    command: `echo '{"task_id": "${taskId}", "decision": "${decision}", "nonce": "${nonce}"}' > ${HANDOFF}/${FILES.decision}`,
  });
  const why = `you are the floor manager of this task; the judge's verdict is ${verdict ?? 'not known'}${noteRefused(record)}`;
  return needOf(night, 'decision', 'waits for your decision', toDigestLine(why, 600), {
    task_id: taskId,
    since: record.updatedAt,
    ways: [
      ...(verdict === 'PASS' ? [decide('Merge', 'Only a PASS can be merged.', 'merge')] : []),
      decide('Fix', "The implementer gets the judge's fixes.", 'fix'),
      { title: 'The change', does: 'As a patch.', command: `andon show ${taskId} --diff` },
    ],
  });
}

/** You chose at a halt that a person judges. */
function verdictOf(night: NeedSource, { taskId, record }: Task): Need {
  const isTaken = record.status === 'review_in_progress';
  const rename = `rename ${HANDOFF}/${FILES.reviewRequest} to ${FILES.reviewInProgress}, and `;
  const how = `${isTaken ? '' : rename}write ${HANDOFF}/${FILES.judgeReportJson}`;
  return needOf(night, 'decision', 'waits for your verdict', `you chose to judge it; ${how}`, {
    task_id: taskId,
    since: record.updatedAt,
    ways: [
      { title: 'The change', does: 'As a patch.', command: `andon show ${taskId} --diff` },
      ...(isTaken ? [] : [{ title: 'An agent', does: 'It judges in your place.', command: 'andon agents judge' }]),
    ],
  });
}

function refusedOf(night: NeedSource, { file, faults, first, at }: RefusalView): Need {
  const name = toShellWord(file);
  const why = `${formatCount(faults, 'fault')}, the first at ${toDigestLine(first, 200)}`;
  const command = name === undefined ? 'andon watch --dry-run' : `andon contract lint ${name}`;
  return needOf(night, 'refused', `${toDigestLine(file, 160)} is refused`, why, {
    since: at,
    ways: [{ title: 'Every fault', does: 'Correct the file and save it: it is read again.', command }],
  });
}

function overdueOf(night: NeedSource, taskId: string, hold: OverdueHold): Need {
  return needOf(night, 'overdue', toDigestLine(joinReason(viewHold(hold)), 300), `it was to go on at ${hold.until}`, {
    task_id: taskId,
    since: hold.since,
    ways: [{ title: 'Now', does: 'It is tried at once.', command: `andon resume ${taskId} --again` }],
  });
}

const LOOK: SuggestedCommand = {
  title: 'Look',
  does: 'It starts nothing, and names both ways out.',
  command: 'andon watch',
};

function listStandstillNeeds(night: NeedSource, hasTask: boolean): readonly Need[] {
  const { line, damage } = night;
  if (damage !== undefined)
    return [needOf(night, 'stopped', 'nothing runs', toDigestLine(damage, 600), { ways: [LOOK] })];
  if (line === undefined) return [];
  // A line without work needs no watchdog.
  const isIdle = !hasTask && line.waiting.length === 0 && line.proposal_approved !== true;
  return listObstacles(line).flatMap(({ kind, phrase, why, since = null, way }) =>
    kind === 'unwatched' && isIdle
      ? []
      : [needOf(night, kind, phrase, toDigestLine(why, 600), { since, ways: way === undefined ? [] : [way] })],
  );
}

/** A wait this long past its end needs a person: clocks differ, and a provider is asked again a minute late. */
const OVERDUE_MS = 10 * 60_000;

type OverdueHold = Hold & { readonly until: string };

/** The overdue wait of a task; undefined also while the awaited call runs. */
export function findOverdueHold({ hold, halt, parked, openCall }: TaskRecord, now: string): OverdueHold | undefined {
  const until = hold?.until ?? undefined;
  if (hold === undefined || until === undefined) return undefined;
  if (halt !== undefined || parked !== undefined || openCall !== undefined) return undefined;
  return Date.parse(now) - Date.parse(until) > OVERDUE_MS ? { ...hold, until } : undefined;
}
