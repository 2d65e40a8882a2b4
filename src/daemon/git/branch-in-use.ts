import { toTaskBranch } from '../../base/names.ts';
import type { Needs } from '../../wiring/services.ts';

/**
 * Looks whether the task's branch is checked out anywhere; a branch that is, andon never moves, for the move would show
 * as edits of yours. Says what hinders it, and what to do.
 */
export async function findBranchInUse(
  services: Needs<'repository'>,
  taskId: string,
): Promise<{ readonly sentence: string; readonly remedy: string } | undefined> {
  const folder = await services.repository.checkedOutIn(toTaskBranch(taskId));
  if (folder === undefined) return undefined;
  return {
    sentence: `task/${taskId} is checked out in ${folder}, so andon does not move it to a new attempt`,
    remedy: `leave that branch (git -C ${folder} switch --detach, or switch to another one)`,
  };
}
