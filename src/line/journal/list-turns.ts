import {
  findBlockingTask,
  listStandingTasks,
  computeTurns,
  type Floor,
  type QueuedTurn,
  type QueueWait,
} from '../order/queued-turn.ts';
import type { Journal } from './journal.ts';
import type { Waiting } from '../order/handoff-queue.ts';
import type { Services } from '../services/services.ts';
import { openTasks } from './active-task.ts';
import { readQueueEvents } from './queue-events.ts';

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
  const waiting = queue.waiting(underWay);
  const { tasks, parts, moves } = readQueueEvents(journal);
  const open = listStandingTasks(openTasks({ journal }), underWay);
  const keptBy = (one: Waiting): readonly QueueWait[] => findBlockingTask(one, open, onOverlap);
  return computeTurns(waiting, { now, tasks, parts, moves, isRefused, keptBy });
}
