import type { Fault } from '../formats/fault.ts';
import type { Admitted } from '../formats/journal-entry.ts';

import { TERMINAL, branchName, taskBranch, HUMAN } from '../formats/names.ts';
import type { Outcome } from '../formats/outcome.ts';
import { failure, success } from '../formats/outcome.ts';
import { CLOSED, closedPaths, resolvePaths } from '../formats/resolve-paths.ts';
import type { TaskContract } from '../formats/task-contract.ts';
import { parseContract } from '../formats/task-contract-schema.ts';
import { foldJournal } from '../line/record.ts';
import { namedFileFaults } from './check-named-files.ts';
import { treeIndex } from './tree-index.ts';
import type { World } from './world.ts';

/** Checks a dropped contract against its schema, the repository and what was done before; every fault at once. */
export async function admit(world: World, text: string): Promise<Outcome<Admitted, readonly Fault[]>> {
  const parsed = parseContract(text);
  if (!parsed.ok) return parsed;
  const { contract, document, notices, lineOf } = parsed.value;
  const faults = [...idFaults(world, contract)];
  const target = await world.repository.target(contract.targetBranch ?? world.settings.target);
  if (!target.ok)
    return failure([
      ...faults,
      fault('$.git.base_branch', contract.targetBranch ?? 'nothing', `a branch to merge into: ${target.why}`),
    ]);
  faults.push(...targetFaults(world, target.value.ref));
  const files = await world.repository.files(target.value.commit);
  const index = treeIndex(files);
  const tracked = {
    has: (path: string) => index.byPath.has(path),
    hasFolder: (path: string) => index.folders.has(path),
  };
  const resolved = resolvePaths(contract, tracked, lineOf);
  if (!resolved.ok) return failure([...faults, ...resolved.why]);
  faults.push(...(await namedFileFaults(world, resolved.value, target.value.commit, index)));
  faults.push(...(await branchFaults(world, contract.taskId)));
  if (faults.length > 0) return failure(faults);
  return success({
    kind: 'admitted',
    at: world.clock.now(),
    document,
    digest: world.digest(text),
    target: target.value.ref,
    base: target.value.commit,
    notices: [
      ...notices,
      ...managerNotice(contract),
      ...closedNotice(closedPaths(resolved.value.constraints.allowedPaths, tracked)),
    ],
    contract: resolved.value,
  });
}

const fault = (path: string, found: string, expected: string, example?: string): Fault => ({
  path,
  line: undefined,
  found,
  expected,
  example,
  kind: 'invalid',
});

/** Only a human can take the floor manager's place; any other name is kept and the built-in policy decides. */
function managerNotice({ roles }: TaskContract): readonly string[] {
  const { floorManager } = roles;
  if (floorManager === undefined || floorManager === HUMAN) return [];
  return [
    `roles.floor_manager "${floorManager}" is not run; the built-in policy decides ("${HUMAN}" waits for DECISION.json)`,
  ];
}

/** Some of what the contract allows stays closed; the task can be done without it, but its user should know. */
const closedNotice = (closed: readonly string[]): readonly string[] =>
  closed.length === 0 ? [] : [`constraints.allowed_paths opens nothing by ${closed.join(', ')}: ${CLOSED}`];

/** A task that was merged is never run again; ids that differ only in case are the same id. */
function idFaults(world: World, { taskId }: TaskContract): readonly Fault[] {
  return world.journal.taskIds().flatMap((known) => {
    if (known.toLowerCase() !== taskId.toLowerCase()) return [];
    const record = foldJournal(world.journal.entries(known));
    if (record === undefined) return [];
    if (record.status === 'merged')
      return [
        fault(
          '$.task_id',
          taskId,
          `a new id: ${known} was merged already (${record.merge?.commit.slice(0, 12) ?? ''})`,
          `${taskId}-2`,
        ),
      ];
    if (!TERMINAL.includes(record.status) && known !== taskId)
      return [fault('$.task_id', taskId, `an id that differs from ${known} in more than its case`, `${taskId}-2`)];
    return [];
  });
}

/** A change that is merged into another task's branch would reach no one, or ride along with that task. */
function targetFaults(world: World, target: string): readonly Fault[] {
  const owner = world.journal.taskIds().find((taskId) => taskBranch(taskId) === target);
  return owner === undefined
    ? []
    : [
        fault(
          '$.git.base_branch',
          branchName(target),
          `a branch of yours: this is the branch of task ${owner}`,
          'main',
        ),
      ];
}

async function branchFaults(world: World, taskId: string): Promise<readonly Fault[]> {
  const { repository } = world;
  if ((await repository.resolve('refs/heads/task')) !== undefined)
    return [
      fault(
        '$.task_id',
        taskId,
        'a repository without a branch called `task`: git cannot keep `task/<task_id>` beside it; rename that branch',
      ),
    ];
  const branch = await repository.resolve(taskBranch(taskId));
  if (branch === undefined) return [];
  const ours = (await repository.refsUnder(`refs/andon/${taskId}/`)).some(({ commit }) => commit === branch);
  return ours
    ? []
    : [
        fault(
          '$.task_id',
          taskId,
          `an id whose branch is free: task/${taskId} exists with commits that andon did not make; rename or delete that branch`,
          `${taskId}-2`,
        ),
      ];
}
