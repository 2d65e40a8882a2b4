import { toBranchName, toTaskBranch } from '../../base/names.ts';
import { createFault } from '../../base/fault.ts';
import type { Fault } from '../../base/fault.ts';
import type { Services } from '../../wiring/services.ts';

type Known = Pick<Services, 'journal' | 'repository'>;

/** The branch of a task must be free, or hold what andon made of that task. */
export async function checkBranch(
  { repository }: Pick<Known, 'repository'>,
  taskId: string,
): Promise<readonly Fault[]> {
  if ((await repository.resolve('refs/heads/task')) !== undefined)
    return [
      createFault(
        '$.task_id',
        taskId,
        'a repository without a branch called `task`: git cannot keep `task/<task_id>` beside it; rename that branch',
      ),
    ];
  const [below] = await repository.refsUnder(`${toTaskBranch(taskId)}/`);
  if (below !== undefined)
    return [
      createFault(
        '$.task_id',
        taskId,
        `an id whose branch is free: git cannot keep task/${taskId} beside ${toBranchName(below.ref)}; rename or delete that branch`,
        `${taskId}-2`,
      ),
    ];
  const branch = await repository.resolve(toTaskBranch(taskId));
  if (branch === undefined) return [];
  const ours = (await repository.refsUnder(`refs/andon/${taskId}/`)).some(({ commit }) => commit === branch);
  return ours
    ? []
    : [
        createFault(
          '$.task_id',
          taskId,
          `an id whose branch is free: task/${taskId} exists with commits that andon did not make; rename or delete that branch`,
          `${taskId}-2`,
        ),
      ];
}

/**
 * Work of a task in git of which the journal has no entry: the state folder was lost, or another machine has it. Its calls,
 * findings and halts are unknown, so the task is not run again with fresh counters.
 */
export async function checkUnknownWork({ journal, repository }: Known, taskId: string): Promise<readonly Fault[]> {
  if (journal.taskIds().some((known) => known.toLowerCase() === taskId.toLowerCase())) return [];
  const refs = await repository.refsUnder(`refs/andon/${taskId}/`);
  if (refs.length === 0) return [];
  const folders = `refs/andon/${taskId}/ ${toTaskBranch(taskId)}`;
  const remove = `git for-each-ref --format='delete %(refname)' ${folders} | git update-ref --stdin`;
  return [
    createFault(
      '$.task_id',
      taskId,
      `a task that the journal knows: git holds refs/andon/${taskId}/, the journal has no entry of it. Put back the state folder that has (docs/configuration.md), or begin anew: with another id, or after ${remove}`,
      `${taskId.slice(0, 60)}-2`,
    ),
  ];
}
