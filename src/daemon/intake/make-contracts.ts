import { parseJsonObject, parseJson } from '../../base/json-object.ts';
import { FILES, HANDOFF, proposalCopyPath } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import type { DraftOnPage } from '../../contract/draft/proposal-page.ts';
import type { Needs } from '../../wiring/services.ts';

/** The contracts of an approved proposal, decided before the first of them is written. */
export interface Plan {
  /** The digest of the proposal. */
  readonly proposal: string;
  readonly contracts: readonly { readonly taskId: string; readonly contract: string }[];
}

type OwnServices = Needs<'handoff' | 'journal'>;

/** Writes the plan of an approved proposal. It counts once the proposal has its new name, so a crash between is harmless. */
export const writePlan = (
  { handoff }: Pick<OwnServices, 'handoff'>,
  text: string,
  { tasks }: Pick<DraftOnPage, 'tasks'>,
): boolean => {
  const contracts = tasks.map(({ taskId, contract }) => ({ taskId, contract }));
  return handoff.write(FILES.proposalPlan, `${JSON.stringify({ proposal: sha256(text), contracts }, null, 2)}\n`);
};

/** The plan of exactly this text. */
export function loadPlan({ handoff }: OwnServices, text: string): Plan | undefined {
  const read = handoff.read(FILES.proposalPlan);
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
export function makeContracts(needs: OwnServices, plan: Plan): boolean {
  const { handoff } = needs;
  if (listConflictingFiles(needs, plan).length > 0) return false;
  return listMissing(needs, plan).every(({ taskId, contract }) =>
    handoff.write(queuePath(taskId), contract, () => !handoff.exists(queuePath(taskId))),
  );
}

/** Other files in the queue with the name of a contract that is still missing. */
export const listConflictingFiles = (needs: OwnServices, plan: Plan): readonly string[] =>
  listMissing(needs, plan)
    .map(({ taskId }) => queuePath(taskId))
    .filter((path) => needs.handoff.exists(path))
    .map((path) => `${HANDOFF}/${path}`);

/** Whether any contract of this plan exists. */
export const isBegun = (needs: OwnServices, plan: Plan): boolean =>
  listMissing(needs, plan).length < plan.contracts.length;

/** Keeps the proposal under the name of its first task, with whose papers it goes into the archive. */
export function keepProposal({ handoff }: OwnServices, taskId: string, text: string): void {
  let number = 1;
  const path = () => proposalCopyPath(number === 1 ? taskId : `${taskId}.${number}`);
  while (handoff.exists(path())) number += 1;
  handoff.renameToFree(FILES.proposalTaken, path(), (found) => found === text);
  for (const page of [FILES.proposalPlan, FILES.proposalDraft, FILES.proposalRejected]) handoff.remove(page);
}

const queuePath = (taskId: string): string => `${FILES.queue}/${taskId}.json`;

/** A contract may wait, be the active or a halted one, be withdrawn, or have begun: then it is not made again. */
function listMissing({ handoff, journal }: OwnServices, { proposal, contracts }: Plan): Plan['contracts'] {
  const isSame = (text: string, taskId: string): boolean => {
    const { metadata, task_id: id } = Object(parseJson(text)) as {
      readonly metadata?: { readonly proposal?: unknown } | null;
      readonly task_id?: unknown;
    };
    return metadata?.proposal === proposal && id === taskId;
  };
  return contracts.filter(({ taskId }) => {
    const places = [queuePath(taskId), FILES.contract, FILES.lock, `${FILES.withdrawn}/${taskId}.json`];
    const isFile = places.some((name) => {
      const read = handoff.read(name);
      return read.ok && read.value !== undefined && isSame(read.value, taskId);
    });
    const entries = journal.taskIds().includes(taskId) ? journal.entries(taskId) : [];
    return !isFile && !entries.some((one) => one.kind === 'admitted' && isSame(JSON.stringify(one.document), taskId));
  });
}
