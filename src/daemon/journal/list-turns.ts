import { findBlockingTask, listStandingTasks } from '../../line/order/find-blocking-task.ts';
import { computeTurns, type Floor, type QueuedTurn, type QueueWait } from '../../line/order/turns.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Queue, Waiting } from '../../ports/queue.ts';
import { openTasks } from './active-task.ts';
import { readQueueEvents } from './queue-events.ts';

/** The inputs of the order of the queue. */
export interface QueueInputs {
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
