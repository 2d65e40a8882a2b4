import type { Floor, Turn } from '../../line/order/turns.ts';
import { turnsOf } from '../../line/order/turns.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Queue, Waiting } from '../../ports/queue.ts';
import { toldBy } from './begun-tasks.ts';

/** What the order of what waits is made of. */
export interface Waits {
  readonly queue: Queue;
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: string;
  /** Tasks that take a place. */
  readonly underWay: readonly string[];
  readonly isRefused: NonNullable<Floor<Waiting>['isRefused']>;
}

/** Everything that waits in a repository, in the order in which its turn comes, and what for; the same for the line and for whoever shows it. */
export function turnsNow({ queue, journal, now, underWay, isRefused }: Waits): readonly Turn<Waiting>[] {
  const { tasks, moves } = toldBy(journal);
  return turnsOf(queue.waiting(underWay), { now, tasks, moves, isRefused });
}
