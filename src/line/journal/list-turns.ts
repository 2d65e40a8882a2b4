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
  /** Where merges by another andon are looked for; by default nowhere. */
  readonly elsewhere?: MergeSearch;
  /** ISO 8601. */
  readonly now: string;
  readonly underWay: readonly string[];
  /** The treatment of a contract that may write files of a parked change. */
  readonly onOverlap: 'wait' | 'start';
  readonly isRefused: NonNullable<Floor<Waiting>['isRefused']>;
}

interface MergeSearch {
  readonly repository: Services['repository'];
  /** The target of a contract that names none. */
  readonly targetName: () => Promise<string | undefined>;
  /** Contracts for which git is not asked; default: none. */
  readonly skips?: (one: Waiting) => boolean;
  /** The number of newest commits that are searched; default: all. */
  readonly most?: number;
}

/** The queue of a repository in order, with the cause of each wait; the same for the line and for displays. */
export async function listTurns({
  queue,
  journal,
  elsewhere,
  now,
  underWay,
  onOverlap,
  isRefused,
}: QueueInputs): Promise<readonly QueuedTurn<Waiting>[]> {
  const waiting = queue.waiting(underWay);
  const merges = elsewhere && { isInTarget: await searchTargets(journal, waiting, elsewhere) };
  const { tasks, parts, moves } = readQueueEvents(journal);
  const open = listStandingTasks(openTasks({ journal }), underWay);
  const keptBy = (one: Waiting): readonly QueueWait[] => findBlockingTask(one, open, onOverlap);
  return computeTurns(waiting, { now, tasks, ...merges, parts, moves, isRefused, keptBy });
}

const searchTargets = (
  journal: Journal,
  waiting: readonly Waiting[],
  { repository, targetName, skips = () => false, most }: MergeSearch,
): Promise<(one: Waiting, task: string) => boolean> =>
  findMergedElsewhere({ journal, repository }, waiting, async (one) => {
    if (skips(one)) return undefined;
    const target = await repository.target(one.targetBranch ?? (await targetName()));
    return target.ok ? { ...target.value, most } : undefined;
  });
