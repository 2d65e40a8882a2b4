import { createFault } from '../../base/fault.ts';
import type { Fault } from '../../base/fault.ts';
import type { Admitted } from '../../record/journal-entry.ts';

import { TERMINAL, toBranchName, toTaskBranch, HUMAN, POLICY } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { failure, success } from '../../base/outcome.ts';
import { Problem } from '../../base/problem.ts';
import { CLOSED, closedPaths, resolvePaths } from '../../contract/resolve-paths.ts';
import { withRoles } from '../../contract/task-contract-normalise.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { readTaskMetadata } from '../../contract/task-metadata.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { ParsedContract } from '../../contract/task-contract-schema.ts';
import { foldJournal } from '../../line/record.ts';
import { resolveDriver } from '../calls/resolve-worker.ts';
import { checkAfter } from './check-after.ts';
import type { AfterWhat } from './check-after.ts';
import { checkGates } from './check-gates.ts';
import { checkWorkers } from './check-workers.ts';
import { findObstacles } from './find-obstacles.ts';
import { checkNamedFiles } from './check-named-files.ts';
import { checkBranch, checkUnknownWork } from './check-refs.ts';
import { findReceipt } from '../git/merge-state.ts';
import { checkSignatures } from '../git/check-signatures.ts';
import { indexTree } from '../git/tree-index.ts';
import { openServicesAt } from '../../wiring/configuration.ts';
import type { TargetCommit } from '../../wiring/in-force.ts';
import type { Services } from '../../wiring/services.ts';

/** Checks a dropped contract against its schema, the repository and what was done before; every fault at once. */
export async function admitContract(
  services: Services,
  text: string,
  what: AfterWhat = {},
): Promise<Outcome<Admitted, readonly Fault[]>> {
  const parsed = parseContract(text);
  if (!parsed.ok) return parsed;
  const { contract, document, notices, lineOf } = parsed.value;
  const { faults, target, here, unsigned } = await checkBesideTree(services, parsed.value, what);
  if (target === undefined || here === undefined) return failure(faults);
  const files = await services.repository.files(target.commit);
  const index = indexTree(files);
  const tracked = {
    has: (path: string) => index.byPath.has(path),
    hasFolder: (path: string) => index.folders.has(path),
  };
  const resolved = resolvePaths(contract, tracked, lineOf, here.settings.protectedPaths);
  if (!resolved.ok) return failure([...faults, ...resolved.why]);
  faults.push(...(await checkNamedFiles(services, resolved.value, target.commit, index)));
  const gates = await checkGates(here, resolved.value, target.commit, toBranchName(target.ref), index);
  const obstacles = await findObstacles(here, gates.contract, target, files, index);
  faults.push(...gates.faults, ...obstacles.faults);
  if (faults.length > 0) return failure(faults);
  return success({
    kind: 'admitted',
    at: services.clock.now(),
    document,
    digest: services.digest(text),
    target: target.ref,
    base: target.commit,
    notices: [
      ...notices,
      ...readTaskMetadata(document).notices,
      ...managerNotice(here, contract),
      ...gates.notices,
      ...unsigned,
      ...(await services.configuration.gapsTo(target)),
      ...closedNotice(closedPaths(resolved.value.constraints, tracked)),
      ...obstacles.notices,
    ],
    contract: withRoles(gates.contract, here.settings.roles),
    ...(gates.ungated ? { ungated: true } : {}),
  });
}

/**
 * What of a contract can be refused whatever the files of the target will be: while a task is under way that comes before
 * it, what it names may be what that task makes.
 */
export async function lookBesideTree(services: Services, text: string): Promise<Outcome<undefined, readonly Fault[]>> {
  const parsed = parseContract(text);
  if (!parsed.ok) return parsed;
  const { faults } = await checkBesideTree(services, parsed.value, {});
  return faults.length > 0 ? failure(faults) : success(undefined);
}

/** Its id, its target, its branch, its implementers, and what it is to come after. */
async function checkBesideTree(
  services: Services,
  { contract, lineOf }: Pick<ParsedContract, 'contract' | 'lineOf'>,
  what: AfterWhat,
): Promise<{
  readonly faults: Fault[];
  readonly target: TargetCommit | undefined;
  /** The services under the configuration of that target; undefined where it cannot be read. */
  readonly here?: Services;
  /** That the merge will not be signed although git is set to sign. */
  readonly unsigned: readonly string[];
}> {
  const faults = [...idFaults(services, contract)];
  const found = await services.repository.target(contract.targetBranch ?? (await services.configuration.targetName()));
  if (!found.ok) {
    const name = contract.targetBranch ?? 'nothing';
    return {
      faults: [...faults, createFault('$.git.base_branch', name, `a branch to merge into: ${found.why}`)],
      target: undefined,
      unsigned: [],
    };
  }
  const target = found.value;
  faults.push(...targetFaults(services, target.ref));
  if (faults.length === 0) faults.push(...(await receiptFaults(services, contract.taskId, target.commit)));
  if (faults.length === 0) faults.push(...(await checkUnknownWork(services, contract.taskId)));
  faults.push(...(await checkAfter(services, contract, { lineOf, target: target.commit }, what)));
  faults.push(...(await checkBranch(services, contract.taskId)));
  const here = await openServicesAt(services, target).catch(problemIn);
  if (here instanceof Problem) {
    const expected = `a target whose configuration can be read: ${here.message}`;
    return {
      faults: [...faults, createFault('$.git.base_branch', toBranchName(target.ref), expected)],
      target,
      unsigned: [],
    };
  }
  faults.push(...(await checkWorkers(here, contract, lineOf)));
  const { fault, unsigned } = await checkSignatures(here, target);
  if (fault !== undefined)
    faults.push(
      createFault(
        '$.git.base_branch',
        toBranchName(target.ref),
        `a branch that takes the merge: ${fault.sentence}; ${fault.remedy}`,
      ),
    );
  return {
    faults,
    target,
    here,
    unsigned: unsigned === undefined ? [] : [`${unsigned.sentence}; ${unsigned.remedy}`],
  };
}

/** A Problem as a value; every other error goes on. */
function problemIn(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** A human or an agent can take the floor manager's place; with a name that is none of theirs the built-in policy decides. */
function managerNotice(
  { agents, profiles, settings }: Pick<Services, 'agents' | 'profiles' | 'settings'>,
  { roles: { floorManager } }: TaskContract,
): readonly string[] {
  if (floorManager === undefined || floorManager === HUMAN || floorManager === POLICY) return [];
  if (resolveDriver({ agents, profiles, settings }, floorManager) !== undefined) return [];
  return [
    `roles.floor_manager "${floorManager}" names no profile with a driver, and is not run; the built-in policy decides ("${HUMAN}" waits for DECISION.json)`,
  ];
}

/** Some of what the contract allows stays closed; the task can be done without it, but its user should know. */
const closedNotice = (closed: readonly string[]): readonly string[] =>
  closed.length === 0 ? [] : [`constraints.allowed_paths opens nothing by ${closed.join(', ')}: ${CLOSED}`];

/** A task that was merged is never run again; ids that differ only in case are the same id. */
function idFaults(services: Pick<Services, 'journal'>, { taskId }: TaskContract): readonly Fault[] {
  return services.journal.taskIds().flatMap((known) => {
    if (known.toLowerCase() !== taskId.toLowerCase()) return [];
    const record = foldJournal(services.journal.entries(known));
    if (record === undefined) return [];
    if (record.status === 'merged') return [mergedBefore(taskId, known, record.merge?.commit ?? '')];
    if (!TERMINAL.includes(record.status) && known !== taskId)
      return [
        createFault('$.task_id', taskId, `an id that differs from ${known} in more than its case`, `${taskId}-2`),
      ];
    return [];
  });
}

/** What the target holds counts also where this journal knows nothing of it: a task is merged once, whoever did it. */
async function receiptFaults(
  services: Pick<Services, 'repository'>,
  taskId: string,
  target: string,
): Promise<readonly Fault[]> {
  const merge = await findReceipt(services, taskId, target);
  return merge === undefined ? [] : [mergedBefore(taskId, taskId, merge)];
}

const mergedBefore = (taskId: string, known: string, commit: string): Fault =>
  createFault('$.task_id', taskId, `a new id: ${known} was merged already (${commit.slice(0, 12)})`, `${taskId}-2`);

/** A change that is merged into another task's branch would reach no one, or ride along with that task. */
function targetFaults(services: Pick<Services, 'journal'>, target: string): readonly Fault[] {
  const owner = services.journal.taskIds().find((taskId) => toTaskBranch(taskId) === target);
  return owner === undefined
    ? []
    : [
        createFault(
          '$.git.base_branch',
          toBranchName(target),
          `a branch of yours: this is the branch of task ${owner}`,
          'main',
        ),
      ];
}
