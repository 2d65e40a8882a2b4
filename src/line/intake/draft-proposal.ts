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
import { FILES, HANDOFF } from '../../base/names.ts';
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
import { markOrigin, writePlan } from './proposal-plan.ts';

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
