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
import { findMergedElsewhere } from './find-merged-elsewhere.ts';
import { readQueueEvents } from './queue-events.ts';

/** The inputs of the order of the queue. */
interface QueueInputs {
  readonly queue: Services['queue'];
  readonly journal: Journal;
  readonly repository: Services['repository'];
  /** The target of a contract that names none. */
  readonly targetName: () => Promise<string | undefined>;
  /** ISO 8601. */
  readonly now: string;
  readonly underWay: readonly string[];
  /** The treatment of a contract that may write files of a parked change. */
  readonly onOverlap: 'wait' | 'start';
  readonly isRefused: NonNullable<Floor<Waiting>['isRefused']>;
}

/** The queue of a repository in order, with the cause of each wait; the same for the line and for displays. */
export async function listTurns({
  queue,
  journal,
  repository,
  targetName,
  now,
  underWay,
  onOverlap,
  isRefused,
}: QueueInputs): Promise<readonly QueuedTurn<Waiting>[]> {
  const waiting = queue.waiting(underWay);
  const isInTarget = await findMergedElsewhere({ journal, repository }, waiting, async ({ targetBranch }) => {
    const target = await repository.target(targetBranch ?? (await targetName()));
    return target.ok ? target.value.commit : undefined;
  });
  const { tasks, parts, moves } = readQueueEvents(journal);
  const open = listStandingTasks(openTasks({ journal }), underWay);
  const keptBy = (one: Waiting): readonly QueueWait[] => findBlockingTask(one, open, onOverlap);
  return computeTurns(waiting, { now, tasks, isInTarget, parts, moves, isRefused, keptBy });
}
