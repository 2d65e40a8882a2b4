import type { Queued } from '../order/queued-turn.ts';
import type { Needs, TargetCommit } from '../services/services.ts';
import { readQueueEvents } from './queue-events.ts';

/**
 * Finds the predecessors that are unknown here and that the target of their dependent holds: another andon merged them.
 * The target is resolved each time, since it may be reset; of an unmoved one nothing is searched again. The result
 * answers for one contract and one task.
 */
export async function findMergedElsewhere<One extends Queued>(
  services: Needs<'journal' | 'repository'>,
  waiting: readonly One[],
  /** A contract's target, and how many of its commits are searched (default: all); undefined = git is not asked. */
  targetOf: (one: One) => Promise<(TargetCommit & { readonly most?: number | undefined }) | undefined>,
): Promise<(one: One, task: string) => boolean> {
  const { tasks } = readQueueEvents(services.journal);
  const ids = new Set(waiting.map(({ taskId }) => taskId));
  const held = new Map<One, Set<string>>();
  for (const one of waiting) {
    const unknown = one.after.filter((task) => !tasks.has(task) && !ids.has(task));
    const target = unknown.length === 0 ? undefined : await targetOf(one);
    if (target === undefined) continue;
    const { findReceipt } = await import('../git/merge-state.ts'); // rarely needed, so commands start faster
    const found = new Set<string>();
    for (const task of unknown) if ((await findReceipt(services, task, target)) !== undefined) found.add(task);
    held.set(one, found);
  }
  return (one, task) => held.get(one)?.has(task) === true;
}
