import { describeDiskWait } from '../../base/disk-trouble.ts';
import { TERMINAL, type Status } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { findOutsideWait } from '../core/find-outside-wait.ts';
import { HALT_WORDS } from '../halts/halt-words.ts';
import { describeHold, viewHold } from '../core/compute-next-try.ts';
import { isSilent, type Activity, type LineFacts } from './line-facts.ts';
import { SILENT } from './list-obstacles.ts';
import { findGatesStart } from './view-task.ts';

/** A status for people; programs get its name. */
export const STATUS_PHRASES: Readonly<Record<Status, string>> = {
  pending_implementer: 'being written',
  pending_local_review: 'in local review',
  pending_judge_review: 'waits for the judge',
  review_in_progress: 'with the judge',
  review_complete: 'being decided',
  erik_consultation: 'waiting for you',
  merged: 'merged',
  abandoned: 'given up',
};

type Line = Pick<LineFacts, 'watchdog' | 'blocked' | 'former_repository' | 'next_try' | 'task' | 'judge_is_outside'>;
/** The line is unknown where only the journal can be read. */
type Question = (record: TaskRecord, line: Line | undefined) => Answer | undefined;
type Answer = Pick<Activity, 'is' | 'phrase'> & Partial<Activity>;

/** What may be true of a task, the strongest first; the first answer counts. */
const QUESTIONS: readonly Question[] = [
  ({ status, statusReason, undone }) =>
    TERMINAL.includes(status)
      ? {
          is: 'ended',
          phrase: STATUS_PHRASES[status],
          why: undone === undefined ? statusReason : `undone as ${undone.slice(0, 12)}`,
        }
      : undefined,
  ({ halt }) =>
    halt && {
      is: 'halted',
      phrase: `${HALT_WORDS[halt.trip.breaker].phrase} (${halt.trip.breaker})`,
      why: halt.trip.reason,
    },
  ({ parked }) =>
    parked === undefined ? undefined : { is: 'set aside', phrase: 'answered; goes on when the line is free' },
  (_, line) => (line?.former_repository ? { is: 'stuck', phrase: line.former_repository } : undefined),
  (_, line) => (line?.watchdog?.waits ? { is: 'stuck', phrase: describeDiskWait(line.watchdog.waits) } : undefined),
  (_, line) => (line !== undefined && isSilent(line) ? { is: 'stuck', ...SILENT } : undefined),
  (record, line) =>
    line === undefined || line.watchdog?.doing === 'watch'
      ? undefined
      : { is: 'unwatched', phrase: 'waits for a watchdog', why: `no watchdog is running${describeStopped(record)}` },
  ({ openCall }) => openCall && { is: 'working', phrase: `the ${openCall.station} works`, since: openCall.at },
  ({ taskId, hold }, line) => {
    if (hold === undefined) return undefined;
    const { phrase, why } = viewHold(hold);
    const isOwn = hold.own !== undefined;
    const next = line?.task?.task_id === taskId && !isOwn ? line.next_try : null;
    return {
      is: 'held',
      phrase,
      why: next === null ? why : `${why}; asked again at ${next}`,
      since: hold.since,
      command: isOwn ? null : `andon resume ${taskId} --again`,
    };
  },
  (_, line) => (line?.blocked ? { is: 'blocked', phrase: 'nothing starts', why: line.blocked } : undefined),
  (record, line) => findOutsideWait(record, { judgeIsOutside: line?.judge_is_outside === true }),
  (record, line) => (line === undefined ? undefined : findCheck(record)),
];

export function viewActivity(record: TaskRecord, line: Line | undefined): Activity {
  const { status, statusReason, updatedAt } = record;
  const nextStep: Answer = { is: 'next step', phrase: STATUS_PHRASES[status], why: statusReason };
  const [answer = nextStep] = QUESTIONS.flatMap((ask) => ask(record, line) ?? []);
  return { why: '', since: updatedAt, command: null, ...answer };
}

/** Whether something is done for a task just now. */
export const isAtWork = ({ is }: Activity): boolean => is === 'working' || is === 'checking' || is === 'next step';

/** `waits for a judge: type andon agents judge`. */
export const joinReason = ({ phrase, why }: Pick<Activity, 'phrase' | 'why'>): string =>
  why === '' ? phrase : `${phrase}: ${why}`;

/** An activity in one line, beside the status of its task. */
export function describeActivity({ is, phrase, why, since }: Activity): string {
  if (is === 'ended' || is === 'next step') return why;
  return joinReason({ phrase: SINCE.has(is) ? `${phrase} since ${since}` : phrase, why });
}

const SINCE: ReadonlySet<Activity['is']> = new Set(['working', 'checking', 'held']);

const describeStopped = ({ openCall, hold, status }: TaskRecord): string =>
  openCall !== undefined
    ? `; ${openCall.station} was working when andon stopped`
    : ` (${hold === undefined ? STATUS_PHRASES[status] : describeHold(hold)})`;

/** What andon itself runs: the gates of the base before the first call, and those of a change after an answer. */
function findCheck(record: TaskRecord): Answer | undefined {
  const { status, attempt, ungated = false, statusReason } = record;
  const since = findGatesStart(record);
  if (since !== null) {
    const phrase = ungated ? 'its change is checked' : 'its gates run';
    return { is: 'checking', phrase, why: 'the implementer has answered', since };
  }
  return status === 'pending_implementer' && attempt === 0 && !ungated
    ? { is: 'checking', phrase: 'the gates of the base run', why: statusReason }
    : undefined;
}
