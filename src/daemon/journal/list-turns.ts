import { computeTurns, type Floor, type QueuedTurn, type QueueWait } from '../../line/order/turns.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Queue, Waiting } from '../../ports/queue.ts';
import { openTasks } from './active-task.ts';
import { readQueueEvents } from './queue-events.ts';
import { classifyPath } from '../../base/paths.ts';
import { TERMINAL } from '../../base/names.ts';
import type { LineRecord } from '../../record/line-record.ts';

/** The inputs of the order of the queue. */
interface QueueInputs {
  readonly queue: Queue;
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: string;
  /** Tasks on the line. */
  readonly underWay: readonly string[];
  /** The treatment of a contract that may write files of a parked change. */
  readonly onOverlap: 'wait' | 'start';
  readonly isRefused: NonNullable<Floor<Waiting>['isRefused']>;
}

/** The queue of a repository in order, with the cause of each wait; the same for the line and for displays. */
export function listTurns({
  queue,
  journal,
  now,
  underWay,
  onOverlap,
  isRefused,
}: QueueInputs): readonly QueuedTurn<Waiting>[] {
  const { tasks, parts, moves } = readQueueEvents(journal);
  const open = listStandingTasks(openTasks({ journal }), underWay);
  const keptBy = (one: Waiting): readonly QueueWait[] => findBlockingTask(one, open, onOverlap);
  return computeTurns(queue.waiting(underWay), { now, tasks, parts, moves, isRefused, keptBy });
}

/** A waiting contract, from its own text. */
interface Asking {
  readonly taskId: string | undefined;
  readonly scope:
    | { readonly project: string; readonly allowedPaths: readonly string[]; readonly forbiddenPaths: readonly string[] }
    | undefined;
}

/** Open tasks beside the running one: parked, or halted and about to be parked. */
export const listStandingTasks = (open: readonly LineRecord[], underWay: readonly string[]): readonly LineRecord[] =>
  open.filter(
    ({ taskId, parked, halt, status }) =>
      !underWay.includes(taskId) && !TERMINAL.includes(status) && (parked !== undefined || halt !== undefined),
  );

/**
 * Why a contract is held back by these tasks: one has its id, or the change of one overlaps its scope (unless
 * `onOverlap` permits it). Pure.
 */
export function findBlockingTask(
  { taskId, scope }: Asking,
  standing: readonly LineRecord[],
  onOverlap: 'wait' | 'start',
): readonly QueueWait[] {
  if (standing.length === 0 || scope === undefined) return [];
  const scopes = [scope.allowedPaths, scope.allowedPaths.map((path) => withoutProject(path, scope.project))].map(
    (allowedPaths) => ({ allowedPaths, forbiddenPaths: scope.forbiddenPaths }),
  );
  return standing.flatMap((record): readonly QueueWait[] => {
    if (record.taskId === taskId) return [{ for: 'a parked task', task: taskId, paths: [] }];
    const files = onOverlap === 'start' ? [] : (record.change?.files ?? []);
    const touched = files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    const paths = touched.filter((path) => scopes.some((one) => classifyPath(path, one) === 'allowed'));
    return paths.length === 0 ? [] : [{ for: 'a parked task', task: record.taskId, paths }];
  });
}

const withoutProject = (path: string, project: string): string =>
  path.startsWith(`${project}/`) ? path.slice(project.length + 1) || '**' : path;
