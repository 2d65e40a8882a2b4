import { readTaskMetadata } from '../../project/contract/read-task-metadata.ts';
import {
  createFault,
  formatJsonPath,
  findNearestLine,
  formatValue,
  type Fault,
  type JsonPath,
  toOneLine,
} from '../../base/fault.ts';
import type { Admitted } from '../record/journal-entry.ts';
import { TERMINAL, toBranchName, toTaskBranch, HUMAN, POLICY } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { Problem } from '../../base/problem.ts';
import { CLOSED, closedPaths, resolvePaths } from '../../project/contract/resolve-paths.ts';
import { type TaskContract, withRoles } from '../../project/contract/task-contract.ts';
import { parseContract, type ParsedContract } from '../../project/contract/task-contract-schema.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { resolveDriver } from '../../agents/calls/resolve-driver.ts';
import { checkWorkers } from './check-workers.ts';
import { findMergeRisks } from './find-merge-risks.ts';
import { checkNamedFiles } from './check-named-files.ts';
import { findReceipt } from '../git/merge-state.ts';
import { checkSignatures } from '../git/merge-commits.ts';
import { indexTree, type TreeIndex } from '../git/tree-index.ts';
import { openServicesAt } from '../services/configuration.ts';
import type { LineServices, TargetCommit, Needs } from '../services/services.ts';
import type { JsonDocument } from '../../base/read-json.ts';
import { describeUnmetWait, describeQueueWait } from '../order/describe-queue-wait.ts';
import { isKeptBack, computeTurns, type Never, type Queued } from '../order/queued-turn.ts';
import { readQueueEvents } from '../journal/queue-events.ts';
import { parseJson } from '../../base/json-object.ts';
import type { GateCommand } from '../../project/contract/gate.ts';
import { listMissingInputs, type BaseContent } from '../../project/contract/list-missing-inputs.ts';

/** Checks a dropped contract against its schema, the repository and earlier tasks; returns every fault at once. */
export async function admitContract(
  services: LineServices,
  text: string,
  what: AfterWhat = {},
): Promise<Outcome<Admitted, readonly Fault[]>> {
  const parsed = parseContract(text);
  if (!parsed.ok) return parsed;
  const { contract, document, notices, lineOf } = parsed.value;
  const { faults, notices: early, target, here } = await checkWithoutFiles(services, parsed.value, what);
  if (target === undefined || here === undefined) return failure(faults);
  const files = await services.repository.files(target.commit);
  const index = indexTree(files);
  const tracked = {
    has: (path: string) => index.byPath.has(path),
    hasFolder: (path: string) => index.folders.has(path),
  };
  const resolved = resolvePaths(contract, tracked, lineOf, here.settings.protectedPaths);
  if (!resolved.ok) return failure([...faults, ...resolved.why]);
  const named = await checkNamedFiles(services, resolved.value, target.commit, index);
  const gates = await checkGates(here, resolved.value, target.commit, toBranchName(target.ref), index);
  const obstacles = await findMergeRisks(here, gates.contract, target, files, index);
  const all = [...faults, ...named, ...gates.faults, ...obstacles.faults];
  if (all.length > 0) return failure(all);
  const closed = closedPaths(resolved.value.constraints, tracked);
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
      ...gates.notices,
      ...early,
      ...(await services.configuration.gapsTo(target)),
      ...(closed.length === 0 ? [] : [`constraints.allowed_paths opens nothing by ${closed.join(', ')}: ${CLOSED}`]),
      ...obstacles.notices,
    ],
    contract: withRoles(gates.contract, here.settings.roles),
    ...(gates.ungated ? { ungated: true } : {}),
  });
}

/** Checks what no file of the target can change: an earlier task may still make the files that a contract names. */
export async function admitWithoutFiles(
  services: LineServices,
  text: string,
): Promise<Outcome<undefined, readonly Fault[]>> {
  const parsed = parseContract(text);
  if (!parsed.ok) return parsed;
  const { faults } = await checkWithoutFiles(services, parsed.value, {});
  return faults.length > 0 ? failure(faults) : success(undefined);
}

async function checkWithoutFiles(
  services: LineServices,
  { contract, lineOf }: Pick<ParsedContract, 'contract' | 'lineOf'>,
  what: AfterWhat,
): Promise<{
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
  readonly target?: TargetCommit;
  /** The services under the configuration of that target; undefined where it cannot be read. */
  readonly here?: Needs<'repository' | 'settings'>;
}> {
  const { taskId, targetBranch } = contract;
  const faults = [...idFaults(services, contract)];
  const found = await services.repository.target(targetBranch ?? (await services.configuration.targetName()));
  if (!found.ok) {
    faults.push(createFault(BRANCH, targetBranch ?? 'nothing', `a branch to merge into: ${found.why}`));
    return { faults, notices: [] };
  }
  const target = found.value;
  const branch = toBranchName(target.ref);
  const owner = services.journal.taskIds().find((one) => toTaskBranch(one) === target.ref);
  if (owner !== undefined)
    faults.push(createFault(BRANCH, branch, `a branch of yours: this is the branch of task ${owner}`, 'main'));
  // The target counts as well as this journal: another andon may have merged the task.
  const merge = faults.length === 0 ? await findReceipt(services, taskId, target) : undefined;
  if (merge !== undefined) faults.push(createMergedFault(taskId, taskId, merge));
  if (faults.length === 0) faults.push(...(await checkUnknownWork(services, taskId)));
  faults.push(...checkAfter(services, contract, lineOf, what));
  faults.push(...(await checkBranch(services, taskId)));
  const here = await openServicesAt(services, target).catch(toProblem);
  if (here instanceof Problem) {
    faults.push(createFault(BRANCH, branch, `a target whose configuration can be read: ${here.message}`));
    return { faults, notices: [], target };
  }
  const unknownWorkers = await checkWorkers(here, contract, lineOf);
  const { fault, unsigned } = await checkSignatures(here, target);
  faults.push(...unknownWorkers);
  if (fault !== undefined)
    faults.push(createFault(BRANCH, branch, `a branch that takes the merge: ${fault.sentence}; ${fault.remedy}`));
  const notices = [
    ...managerNotice(here, contract),
    ...(unsigned === undefined ? [] : [`${unsigned.sentence}; ${unsigned.remedy}`]),
  ];
  return { faults, notices, target, here };
}

const BRANCH = '$.git.base_branch';

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** A floor manager that is neither a human nor a known agent is replaced by the built-in policy. */
function managerNotice(
  { agents, profiles, settings }: Needs<'agents' | 'profiles' | 'settings'>,
  { roles: { floorManager } }: TaskContract,
): readonly string[] {
  if (floorManager === undefined || floorManager === HUMAN || floorManager === POLICY) return [];
  if (resolveDriver({ agents, profiles, settings }, floorManager) !== undefined) return [];
  return [
    `roles.floor_manager "${floorManager}" names no profile with a driver, and is not run; the built-in policy decides ("${HUMAN}" waits for DECISION.json)`,
  ];
}

/** A task that was merged is never run again; ids that differ only in case are the same id. */
function idFaults(services: Needs<'journal'>, { taskId }: TaskContract): readonly Fault[] {
  return services.journal.taskIds().flatMap((known) => {
    if (known.toLowerCase() !== taskId.toLowerCase()) return [];
    const record = foldJournal(services.journal.entries(known));
    if (record === undefined) return [];
    if (record.status === 'merged') return [createMergedFault(taskId, known, record.merge?.commit ?? '')];
    if (TERMINAL.includes(record.status) || known === taskId) return [];
    return [createFault('$.task_id', taskId, `an id that differs from ${known} in more than its case`, `${taskId}-2`)];
  });
}

const createMergedFault = (taskId: string, known: string, commit: string): Fault =>
  createFault('$.task_id', taskId, `a new id: ${known} was merged already (${commit.slice(0, 12)})`, `${taskId}-2`);

type Known = Needs<'journal' | 'repository'>;

const faultOf = (taskId: string, expected: string, example?: string): readonly Fault[] => [
  createFault('$.task_id', taskId, expected, example),
];

/** The branch of a task must be free, or hold an attempt of that task. */
async function checkBranch({ repository }: Pick<Known, 'repository'>, taskId: string): Promise<readonly Fault[]> {
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
async function checkUnknownWork({ journal, repository }: Known, taskId: string): Promise<readonly Fault[]> {
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

/** The surroundings of a contract in the order. */
interface AfterWhat {
  /** The task has begun, so it cannot wait any more. */
  readonly hasBegun?: boolean;
  /** Contracts that are dropped with it, and are not in the queue yet. */
  readonly beside?: readonly Queued[];
}

/** Checks the predecessors of a contract: unknown ones, ones that can never be merged, and a circle are faults. */
function checkAfter(
  services: Needs<'clock' | 'journal' | 'queue'>,
  contract: TaskContract,
  lineOf: JsonDocument['lineOf'],
  { hasBegun = false, beside = [] }: AfterWhat,
): readonly Fault[] {
  const { taskId, after = [], notBefore } = contract;
  if (after.length === 0 && notBefore === undefined) return [];
  const { tasks } = readQueueEvents(services.journal);
  const others = [...services.queue.waiting([]), ...beside].filter((one) => one.taskId !== taskId);
  const own: Queued = { name: '', taskId, priority: 0, after, notBefore, goesFirst: true, waitsFor: 'its turn' };
  const turn = computeTurns([own, ...others], { now: services.clock.now(), tasks }).find(({ one }) => one === own);
  const known = [...tasks.keys(), ...others.flatMap((one) => one.taskId ?? [])];
  const unmet = (turn?.never ?? []).filter(({ key }) => key === 'after');
  const faults = unmet.map((never) => createAfterFault(never, known, lineOf));
  if (faults.length > 0 || !hasBegun || turn === undefined || !isKeptBack(turn)) return faults;
  const isTask = turn.waits.some((one) => one.for === 'another task');
  const path: JsonPath = [isTask ? 'after' : 'not_before'];
  const expected = `nothing to wait for: the task has begun (it ${describeQueueWait(turn.waits, '')}); abandon it and drop it again`;
  const found = formatValue(isTask ? after : notBefore);
  return [createFault(formatJsonPath(path), found, expected, undefined, findNearestLine(lineOf, path))];
}

/** The fault of a contract that can never begin in its current form. */
export function createAfterFault(never: Never, known: readonly string[], lineOf: JsonDocument['lineOf']): Fault {
  const path: JsonPath = never.key === 'after' ? ['after', never.at] : ['task_id'];
  const { expected, example } = describeUnmetWait(never, known);
  const taken = never.is === 'waiting' ? 'an id that is taken' : `an id that is ${never.is}`;
  const found = never.key === 'after' ? JSON.stringify(never.task) : taken;
  return createFault(formatJsonPath(path), found, expected, example, findNearestLine(lineOf, path));
}

/**
 * A gate of a contract that runs a new file must be red on the base, unless the contract says otherwise. A contract without
 * any gate is refused where the project demands one, and else gets a notice.
 */
async function checkGates(
  services: Needs<'repository' | 'settings'>,
  contract: TaskContract,
  commit: string,
  branch: string,
  { byPath, folders }: TreeIndex,
) {
  const { gates, holdout } = contract;
  const scripts = await listScripts(services, commit);
  const base: BaseContent = {
    has: (path) => byPath.has(path) || folders.has(path),
    hasScript: (name) => scripts.includes(name),
  };
  const notices: string[] = [];
  const complete = (gate: GateCommand): GateCommand => {
    const missing = gate.mustFailBefore === undefined ? listMissingInputs(gate.run, base) : [];
    if (missing.length === 0) return gate;
    notices.push(
      `gate ${toOneLine(gate.name, 80)} runs ${missing.map((one) => toOneLine(one, 120)).join(', ')}, not on ${branch} yet: it must be red there and green after (must_fail_before)`,
    );
    return { ...gate, mustFailBefore: true };
  };
  const checked: TaskContract = {
    ...contract,
    gates: gates.map(complete),
    holdout: { ...holdout, gates: holdout.gates.map(complete) },
  };
  const { settings } = services;
  const ungated = settings.gates.length + gates.length + holdout.gates.length === 0;
  if (ungated && !settings.requireGates) notices.push(UNGATED);
  return { contract: checked, ungated, notices, faults: ungated && settings.requireGates ? [NO_GATE] : [] };
}

const UNGATED =
  'there is no gate, neither in this contract nor in the project: only the reviewers decide (the merge will say `Andon-Gates: none`)';

const NO_GATE = createFault(
  '$.gates',
  'no gate, neither here nor in the project',
  'at least one gate: the project demands it (`require_gates` in .andon/config.yaml)',
  '"gates": [{ "name": "test", "run": "npm test" }]',
);

/** The scripts of the base's package.json; none where it cannot be read. */
async function listScripts(services: Needs<'repository'>, commit: string): Promise<readonly string[]> {
  const bytes = (await services.repository.read(commit, ['package.json'])).get('package.json');
  const { scripts } = Object(parseJson(new TextDecoder().decode(bytes))) as { readonly scripts?: unknown };
  return Object.keys(Object(scripts) as object);
}
