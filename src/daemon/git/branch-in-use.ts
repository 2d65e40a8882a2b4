import { taskBranch } from '../../base/names.ts';
import type { Services } from '../../wiring/services.ts';

/** What hinders andon from moving a task's branch, and what to do: a checkout would show the move as edits of yours. */
interface BranchInUse {
  readonly sentence: string;
  readonly remedy: string;
}

/** Looks whether the task's branch is checked out anywhere; a branch that is, andon never moves. */
export async function branchInUse(
  services: Pick<Services, 'repository'>,
  taskId: string,
): Promise<BranchInUse | undefined> {
  const folder = await services.repository.checkedOutIn(taskBranch(taskId));
  if (folder === undefined) return undefined;
  return {
    sentence: `task/${taskId} is checked out in ${folder}, so andon does not move it to a new attempt`,
    remedy: `leave that branch (git -C ${folder} switch --detach, or switch to another one)`,
  };
}
