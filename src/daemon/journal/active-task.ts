import type { LineRecord } from '../../record/line-record.ts';
import { HANDOFF, TERMINAL } from '../../base/names.ts';
import { foldJournal } from '../../line/record.ts';
import type { Journal } from '../../ports/journal.ts';
import { Problem } from '../../base/problem.ts';
import { readQueueEvents } from './queue-events.ts';
import type { Needs, Services } from '../../wiring/services.ts';
import { computeTurns, type Floor, type QueuedTurn, type QueueWait } from '../../line/order/turns.ts';
import type { Waiting } from '../../wiring/open-queue.ts';
import { classifyPath } from '../../base/paths.ts';

type Known = Needs<'journal'>;

/** The task that has not ended and is not parked: it runs, or holds the line. */
export function findActiveTask({ journal }: Known): LineRecord | undefined {
  const { unfinished, parked } = readQueueEvents(journal);
  const id = [...unfinished].findLast((one) => !parked.has(one));
  return id === undefined ? undefined : foldJournal(journal.entries(id));
}

/** Every parked task, halted or answered, in the order of parking. */
export const listParkedTasks = ({ journal }: Known): readonly LineRecord[] =>
  recordsOf(journal, listParkedIds({ journal }));

/** Every task that has not ended: the parked ones, then the active one. */
export function openTasks({ journal }: Known): readonly LineRecord[] {
  const { unfinished, parked } = readQueueEvents(journal);
  return recordsOf(journal, [...new Set([...parked, ...unfinished])]);
}

/** The ids of the parked tasks; no task is folded for them. */
export const listParkedIds = ({ journal }: Known): readonly string[] => [...readQueueEvents(journal).parked];

/** An open task by its id, or a Problem that names the open tasks. */
export function openTask(services: Needs<'journal' | 'queue'>, taskId: string): LineRecord {
  const found = openTasks(services).find((one) => one.taskId === taskId);
  if (found === undefined) throw unknownTask(services, taskId);
  return found;
}

function unknownTask(services: Needs<'journal' | 'queue'>, taskId: string): Problem {
  const active = findActiveTask(services);
  const underWay = active === undefined ? [] : [active.taskId];
  const waiting = services.queue.waiting(underWay).find((one) => one.taskId === taskId)?.name;
  if (waiting !== undefined)
    return new Problem(
      'no-task',
      `${taskId} has not begun: it waits in ${HANDOFF}/${waiting}`,
      `andon queue shows what for; andon queue withdraw ${taskId} takes it out`,
    );
  const names = openTasks(services).map((one) => one.taskId);
  return new Problem(
    'no-task',
    `no task ${taskId} is on the line`,
    names.length === 0
      ? 'andon list shows every task'
      : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} (andon status)`,
  );
}

const recordsOf = (journal: Journal, ids: readonly string[]): readonly LineRecord[] =>
  ids.flatMap((id) => foldJournal(journal.entries(id)) ?? []);

/** The inputs of the order of the queue. */
interface QueueInputs {
  readonly queue: Services['queue'];
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: string;
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
