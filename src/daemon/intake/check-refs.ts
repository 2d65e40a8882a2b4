import { toBranchName, toTaskBranch } from '../../base/names.ts';
import { createFault, type Fault } from '../../base/fault.ts';
import type { Needs } from '../../wiring/services.ts';

type Known = Needs<'journal' | 'repository'>;

const faultOf = (taskId: string, expected: string, example?: string): readonly Fault[] => [
  createFault('$.task_id', taskId, expected, example),
];

/** The branch of a task must be free, or hold an attempt of that task. */
export async function checkBranch(
  { repository }: Pick<Known, 'repository'>,
  taskId: string,
): Promise<readonly Fault[]> {
  if ((await repository.resolve('refs/heads/task')) !== undefined)
    return faultOf(
      taskId,
      'a repository without a branch called `task`: git cannot keep `task/<task_id>` beside it; rename that branch',
    );
  const isTaken = (why: string): readonly Fault[] =>
    faultOf(taskId, `an id whose branch is free: ${why}; rename or delete that branch`, `${taskId}-2`);
  const [below] = await repository.refsUnder(`${toTaskBranch(taskId)}/`);
  if (below !== undefined) return isTaken(`git cannot keep task/${taskId} beside ${toBranchName(below.ref)}`);
  const branch = await repository.resolve(toTaskBranch(taskId));
  if (branch === undefined) return [];
  const isOwn = (await repository.refsUnder(`refs/andon/${taskId}/`)).some(({ commit }) => commit === branch);
  return isOwn ? [] : isTaken(`task/${taskId} exists with commits that andon did not make`);
}

/**
 * Refuses a task with work in git and no entry in the journal: the state folder was lost, or another machine has it. Its
 * calls, findings and halts are unknown, so it does not begin again with fresh counters.
 */
export async function checkUnknownWork({ journal, repository }: Known, taskId: string): Promise<readonly Fault[]> {
  if (journal.taskIds().some((known) => known.toLowerCase() === taskId.toLowerCase())) return [];
  if ((await repository.refsUnder(`refs/andon/${taskId}/`)).length === 0) return [];
  const folders = `refs/andon/${taskId}/ ${toTaskBranch(taskId)}`;
  const remove = `git for-each-ref --format='delete %(refname)' ${folders} | git update-ref --stdin`;
  return faultOf(
    taskId,
    `a task that the journal knows: git holds refs/andon/${taskId}/, the journal has no entry of it. Restore its state folder (docs/configuration.md), choose another id, or run ${remove}`,
    `${taskId.slice(0, 60)}-2`,
  );
}
