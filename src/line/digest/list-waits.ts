import { TERMINAL } from '../../base/names.ts';
import { hasOwnWait, type Activity, type LineFacts, type QueueView } from '../words/line-facts.ts';
import { awaitsDecision, awaitsYourVerdict } from '../core/find-outside-wait.ts';
import { viewActivity } from '../words/view-activity.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { WaitingItem } from './digest.ts';
import { toDigestLine, type RepositoryNight, type TaskStory } from './repository-night.ts';
import { findOverdueHold } from './list-needs.ts';

type Task = Pick<TaskStory, 'record'>;

/** Open tasks that continue without you, each with what it does. Halts, your decisions and overdue waits are needs. */
export function listOngoing(
  line: LineFacts | undefined,
  tasks: readonly Task[],
  now: string,
): readonly { readonly record: TaskRecord; readonly activity: Activity }[] {
  return tasks.flatMap(({ record }) => {
    const isYours = record.halt !== undefined || awaitsDecision(record) || awaitsYourVerdict(record);
    const isNeed = isYours || findOverdueHold(record, now) !== undefined;
    return isNeed || TERMINAL.includes(record.status) ? [] : [{ record, activity: viewActivity(record, line) }];
  });
}

/** The contracts that have not begun, without the refused ones, which are needs. */
export const listQueued = (line: LineFacts | undefined): readonly QueueView[] =>
  (line?.queue ?? []).filter(({ file }) => line?.waiting.includes(file));

/** Why a contract has not begun: its own reason, else what holds the whole line. */
export function describeNotBegun({ blocked, watchdog }: LineFacts, one: Pick<QueueView, 'why' | 'waits_for'>): string {
  if (hasOwnWait(one)) return one.why;
  if (blocked !== null) return blocked;
  return watchdog?.doing === 'watch' ? one.why : 'waits for a watchdog';
}

/** Items that continue without you: open tasks, and contracts that have not begun. */
export const listWaiting = (
  { root: repository, line }: RepositoryNight,
  tasks: readonly Task[],
  now: string,
): readonly WaitingItem[] => [
  ...listOngoing(line, tasks, now).map(({ record, activity: { phrase, why, since, command } }) => ({
    repository,
    task_id: record.taskId,
    file: null,
    phrase: toDigestLine(phrase, 400),
    why: toDigestLine(why, 400),
    since,
    command,
  })),
  ...listQueued(line).map((one) => ({
    repository,
    task_id: null,
    file: toDigestLine(one.file, 160),
    phrase: toDigestLine(line === undefined ? one.why : describeNotBegun(line, one), 300),
    why: '',
    since: null,
    command: null,
  })),
];
