import { findBlockingTask, listStandingTasks } from '../../line/order/find-blocking-task.ts';
import type { Floor, QueuedTurn, QueueWait } from '../../line/order/turns.ts';
import { computeTurns } from '../../line/order/turns.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Queue, Waiting } from '../../ports/queue.ts';
import { openTasks } from './active-task.ts';
import { readQueueEvents } from './queue-events.ts';

/** What the order of what waits is made of. */
export interface QueueInputs {
  readonly queue: Queue;
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: string;
  /** Tasks that take a place. */
  readonly underWay: readonly string[];
  /** What becomes of a contract that may write what the change of a parked task touches. */
  readonly onOverlap: 'wait' | 'start';
  readonly isRefused: NonNullable<Floor<Waiting>['isRefused']>;
}

/** Everything that waits in a repository, in the order in which its turn comes, and what for; the same for the line and for whoever shows it. */
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
