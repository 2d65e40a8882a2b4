import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { describeFault } from '../../base/fault.ts';
import { classifyPath } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import { completeTasks, isProse, readProposal, type ReadTask } from '../../project/contract/draft/proposal.ts';
import type { DraftOnPage, TaskOnPage } from '../../project/contract/draft/proposal-page.ts';
import type { ContractDraft } from '../../project/contract/contract-fields.ts';
import { projectDefaults } from '../../project/contract/draft/contract-draft.ts';
import { ruleOnProposal } from '../../rules/files/rule-on-proposal.ts';
import type { Queued } from '../order/queued-turn.ts';
import { loadDraft, listDraftedTasks, askDrafter } from './ask-drafter.ts';
import { createContractChecker, type ContractChecker } from './contract-checker.ts';
import type { Needs } from '../services/services.ts';
import { FILES, HANDOFF, proposalCopyPath, proposalPlanPath } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { Outcome } from '../../base/outcome.ts';
import { dropContract } from './drop-contract.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { formatInboxPath } from '../../project/workspace/files.ts';
import { NO_JOURNAL, readJournal } from '../journal/open-journal.ts';
import { getStatesHome, openLedgerIn } from '../calls/open-ledger.ts';
import { openTargetServices } from '../services/configuration.ts';
import { buildServices } from '../services/open-services.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { parseJsonObject, parseJson } from '../../base/json-object.ts';

/** The result of a proposal: contracts to approve, prose without an answer yet, or reasons of a refusal. */
export type Drafted =
  | { readonly is: 'drafted'; readonly draft: DraftOnPage }
  | { readonly is: 'prose' }
  | { readonly is: 'refused'; readonly why: readonly string[] };

type OwnServices = Needs<'root' | 'project' | 'settings' | 'clock' | 'journal' | 'folders' | 'repository'>;
type Checker = Pick<ContractChecker, 'write' | 'check' | 'listUnmatched'>;

/**
 * Makes the contracts of a proposal, all of them or none, checked as at admission. Prose takes the kept answer of an agent.
 * Writes nothing and asks no agent.
 */
export async function draftProposal(needs: OwnServices, checker: Checker, text: string): Promise<Drafted> {
  const ruling = await applyRules(needs, text);
  const defaults = projectDefaults(basename(needs.root), needs.settings.roles);
  const isInProse = isProse(text);
  const kept = isInProse ? loadDraft(needs, text) : undefined;
  if (isInProse && kept === undefined) return ruling.refused.length > 0 ? refuse(ruling.refused) : { is: 'prose' };
  const planned = kept === undefined ? undefined : await listDraftedTasks(needs, text, kept);
  if (planned?.ok === false) return refuse([planned.why, ...ruling.refused]);
  const read = planned === undefined ? readProposal(text, defaults) : completeTasks(planned.value, defaults);
  if (!read.ok) return refuse([...read.why, ...ruling.refused]);
  const made = await Promise.all(read.value.map((task) => draftTask(checker, text, task, read.value)));
  const tasks = made.map(({ task }, at) =>
    at === 0 ? { ...task, notices: [...task.notices, ...ruling.noted] } : task,
  );
  // The rules also check contracts that an agent wrote.
  const contracts = tasks.map(({ contract }) => contract).join('\n');
  const own = kept === undefined ? [] : (await applyRules(needs, contracts)).refused;
  const faults = [
    ...made.flatMap((one, at) => one.faults.map((why) => (made.length === 1 ? why : `task ${at + 1}: ${why}`))),
    ...ruling.refused,
    ...own,
  ];
  if (faults.length > 0) return refuse([...new Set(faults)]);
  return { is: 'drafted', draft: { tasks, by: kept?.by } };
}

/** Checks one task beside the others of its proposal, which may make its source files. */
async function draftTask(
  checker: Checker,
  proposal: string,
  { draft, inferred, notices }: ReadTask,
  tasks: readonly ReadTask[],
): Promise<{ readonly task: TaskOnPage; readonly faults: readonly string[] }> {
  const all = tasks.map((one) => one.draft);
  const before = listPredecessors(all, draft);
  const mayCome = (path: string): boolean => before.some((one) => mayWrite(one, path));
  const sourcesToCome = draft.source_files.filter(mayCome);
  const beside = all.filter((one) => one !== draft).map(toQueued);
  const now = checker.write({ ...draft, source_files: draft.source_files.filter((path) => !mayCome(path)) });
  const checked = await checker.check(now, beside);
  const unmatched = checked.faults.length > 0 ? [] : await checker.listUnmatched(now, beside);
  return {
    faults: checked.faults.map((fault) => `${fault.path}: ${describeFault(fault)}`),
    task: {
      taskId: draft.task_id,
      contract: markOrigin(sha256(proposal), checker.write(draft, sourcesToCome)),
      inferred,
      notices: [
        ...notices,
        ...unmatched
          .filter((path) => !mayCome(path))
          .map((path) => `"${path}" matches no file of the repository; fine if it is yet to be made`),
        ...sourcesToCome.map((path) => `"${path}" is named without a hash: a task before this one may change it`),
        ...checked.notices,
      ],
    },
  };
}

/** Every task of the proposal that must be merged before this one; admission refuses a circle. */
function listPredecessors(
  tasks: readonly ContractDraft[],
  { task_id: taskId, after }: ContractDraft,
): readonly ContractDraft[] {
  const found = new Set<string>();
  const open = [...after];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const one = tasks.find((task) => task.task_id === id);
    if (one === undefined || found.has(id) || id === taskId) continue;
    found.add(id);
    open.push(...one.after);
  }
  return tasks.filter((one) => found.has(one.task_id));
}

/** A path may begin with the name of the project. */
function mayWrite(
  { project, allowed_paths: allowed, forbidden_paths: forbidden }: ContractDraft,
  path: string,
): boolean {
  const bare = (one: string): string => (one.startsWith(`${project}/`) ? one.slice(project.length + 1) : one);
  const scopes = [
    { allowedPaths: allowed, forbiddenPaths: forbidden },
    { allowedPaths: allowed.map(bare), forbiddenPaths: forbidden.map(bare) },
  ];
  return scopes.some((scope) => classifyPath(bare(path), scope) === 'allowed');
}

const toQueued = ({ task_id: taskId, priority = 0, after, not_before: notBefore }: ContractDraft): Queued => ({
  name: `task ${taskId}`,
  taskId,
  priority,
  after,
  notBefore,
  goesFirst: false,
  waitsFor: 'its turn',
});

const applyRules = (needs: OwnServices, text: string): ReturnType<typeof ruleOnProposal> =>
  ruleOnProposal({ ...needs, enforcement: needs.settings.enforcement, now: needs.clock.now() }, text);

const refuse = (why: readonly string[]): Drafted => ({ is: 'refused', why });

/** Notes in a contract which proposal, and which approval of it, it was made of, so that it is made once. */
function markOrigin(origin: string, contract: string): string {
  const document = JSON.parse(contract) as { readonly metadata?: object };
  return `${JSON.stringify({ ...document, metadata: { ...document.metadata, proposal: origin } }, null, 2)}\n`;
}

export async function openProposals(place: Workspace, env: NodeJS.ProcessEnv) {
  const journal = readJournal(place);
  const services = await openTargetServices(
    await buildServices(place, env, () => {}, journal ?? NO_JOURNAL, 'drafting'),
  );
  return {
    draft: (text: string) => draftProposal(services, createContractChecker(services), text),
    async ask(text: string, signal: AbortSignal, onAsk: (agent: string) => void): Promise<Outcome<unknown, string>> {
      const ledger = openLedgerIn(getStatesHome(place));
      try {
        const outcome = await askDrafter({ ...services, ledger }, text, { isTyped: true, signal, onAsk });
        return outcome.ok ? outcome : { ok: false, why: outcome.why.why };
      } finally {
        ledger.close();
      }
    },
    close: (): void => journal?.close(),
  };
}

export type OpenProposals = Awaited<ReturnType<typeof openProposals>>;

/**
 * Approves a shown proposal, and returns the path of the resulting file. A proposal in `_handoff/` is renamed to the approved
 * one, and the line makes its contracts. From another folder, one contract goes to the queue; several are made of a copy. The
 * contracts of prose are kept as they were shown.
 */
export function approveProposal(place: Workspace, path: string, text: string, draft: DraftOnPage): string {
  const handoff = createHandoff(place.inboxRoot);
  const name = [FILES.proposal, FILES.proposalFinal].find((one) => path === `${handoff.folder}/${one}`);
  const [only, ...others] = draft.tasks;
  const isProse = draft.by !== undefined;
  if (name === undefined && !isProse && only !== undefined && others.length === 0)
    return dropContract(place, only.taskId, only.contract, true);
  handoff.prepare();
  const approved = isProse ? FILES.proposalTaken : FILES.proposalFinal;
  if (name === approved) return formatInboxPath(place, approved);
  if (handoff.exists(approved)) throw createObstacle(approved);
  if (isProse && !writePlan({ handoff }, text, draft)) throw createObstacle(approved);
  const isDone =
    name === undefined
      ? handoff.write(approved, text, () => !handoff.exists(approved))
      : handoff.renameToFree(name, approved, (found) => found === text);
  if (!isDone) throw createObstacle(approved);
  return formatInboxPath(place, approved);
}

const createObstacle = (name: string): Problem =>
  new Problem(
    'file-exists',
    `${HANDOFF}/${name} is there already, or the proposal was changed meanwhile`,
    'look at both, then approve again',
  );

/** The contracts of an approved proposal, decided before the first of them is written. */
export interface Plan {
  readonly proposal: string;
  readonly contracts: readonly { readonly taskId: string; readonly contract: string }[];
}

type PlanServices = Needs<'handoff' | 'journal'>;

/**
 * Writes the plan of an approved proposal. It counts once the proposal has its new name, so a crash between is harmless.
 * False while another one is taken.
 */
export const writePlan = (
  { handoff }: Pick<PlanServices, 'handoff'>,
  text: string,
  { tasks }: Pick<DraftOnPage, 'tasks'>,
): boolean => {
  const proposal = sha256(text);
  const origin = `${proposal}.${randomUUID()}`; // the same text may be approved again
  const contracts = tasks.map(({ taskId, contract }) => ({ taskId, contract: markOrigin(origin, contract) }));
  const plan = `${JSON.stringify({ proposal, contracts }, null, 2)}\n`;
  return handoff.write(proposalPlanPath(proposal), plan, () => !handoff.exists(FILES.proposalTaken));
};

export function loadPlan({ handoff }: PlanServices, text: string): Plan | undefined {
  const read = handoff.read(proposalPlanPath(sha256(text)));
  if (!read.ok || read.value === undefined) return undefined;
  const { proposal, contracts } = parseJsonObject<Plan>(read.value, ['proposal', 'contracts']) ?? {};
  return proposal === sha256(text) && Array.isArray(contracts) && contracts.length > 0
    ? { proposal, contracts }
    : undefined;
}

/**
 * Puts the contracts of a plan into the queue, each of them once, also after a crash. False, and nothing is written, while
 * another file has the name of one.
 */
export function makeContracts(needs: PlanServices, plan: Plan): boolean {
  const { handoff } = needs;
  if (listConflictingFiles(needs, plan).length > 0) return false;
  return listMissing(needs, plan).every(({ taskId, contract }) =>
    handoff.write(queuePath(taskId), contract, () => !handoff.exists(queuePath(taskId))),
  );
}

/** Other files in the queue with the name of a contract that is still missing. */
export const listConflictingFiles = (needs: PlanServices, plan: Plan): readonly string[] =>
  listMissing(needs, plan)
    .map(({ taskId }) => queuePath(taskId))
    .filter((path) => needs.handoff.exists(path))
    .map((path) => `${HANDOFF}/${path}`);

export const isBegun = (needs: PlanServices, plan: Plan): boolean =>
  listMissing(needs, plan).length < plan.contracts.length;

/** Keeps the proposal under the name of its first task, with whose papers it goes into the archive. */
export function keepProposal({ handoff }: PlanServices, taskId: string, text: string): void {
  let number = 1;
  const path = () => proposalCopyPath(number === 1 ? taskId : `${taskId}.${number}`);
  while (handoff.exists(path())) number += 1;
  handoff.renameToFree(FILES.proposalTaken, path(), (found) => found === text);
  for (const page of [proposalPlanPath(sha256(text)), FILES.proposalDraft, FILES.proposalRejected])
    handoff.remove(page);
}

const queuePath = (taskId: string): string => `${FILES.queue}/${taskId}.json`;

/** A contract may wait, be the active or a halted one, be withdrawn, or have begun: then it is not made again. */
function listMissing({ handoff, journal }: PlanServices, { contracts }: Plan): Plan['contracts'] {
  const originOf = (document: unknown, taskId: string): unknown => {
    const { metadata, task_id: id } = Object(document) as {
      readonly metadata?: { readonly proposal?: unknown } | null;
      readonly task_id?: unknown;
    };
    return id === taskId ? metadata?.proposal : undefined;
  };
  return contracts.filter(({ taskId, contract }) => {
    const origin = originOf(parseJson(contract), taskId);
    const isSame = (document: unknown): boolean => origin !== undefined && originOf(document, taskId) === origin;
    const places = [queuePath(taskId), FILES.contract, FILES.lock, `${FILES.withdrawn}/${taskId}.json`];
    const isFile = places.some((name) => {
      const read = handoff.read(name);
      return read.ok && read.value !== undefined && isSame(parseJson(read.value));
    });
    const entries = journal.taskIds().includes(taskId) ? journal.entries(taskId) : [];
    return !isFile && !entries.some((one) => one.kind === 'admitted' && isSame(one.document));
  });
}
