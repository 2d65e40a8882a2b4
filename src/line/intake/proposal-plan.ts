import { randomUUID } from 'node:crypto';
import { parseJson, parseJsonObject } from '../../base/json-object.ts';
import { FILES, HANDOFF, proposalCopyPath, proposalPlanPath } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import type { DraftOnPage } from '../../project/contract/draft/proposal-page.ts';
import type { Needs } from '../services/services.ts';

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

/** The files that an approved proposal waits for, as paths below the repository's root: they must be moved away. */
export function listBlockers(needs: PlanServices, text: string): readonly string[] {
  const plan = loadPlan(needs, text);
  const others = plan === undefined ? [] : listConflictingFiles(needs, plan);
  if (plan !== undefined && (others.length === 0 || isBegun(needs, plan))) return others;
  return needs.handoff.exists(FILES.proposalFinal) ? [`${HANDOFF}/${FILES.proposalFinal}`] : [];
}

/** Other files in the queue with the name of a contract that is still missing. */
const listConflictingFiles = (needs: PlanServices, plan: Plan): readonly string[] =>
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

/** Notes in a contract which proposal, and which approval of it, it was made of, so that it is made once. */
export function markOrigin(origin: string, contract: string): string {
  const document = JSON.parse(contract) as { readonly metadata?: object };
  return `${JSON.stringify({ ...document, metadata: { ...document.metadata, proposal: origin } }, null, 2)}\n`;
}
