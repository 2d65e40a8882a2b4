import { parseJsonObject, parseJson } from '../../base/json-object.ts';
import { FILES, HANDOFF, proposalCopyPath } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import type { DraftOnPage } from '../../contract/draft/proposal-page.ts';
import type { Services } from '../../wiring/services.ts';

/** The contracts that an approved proposal becomes, as they are written: decided once, before the first of them lies in the queue. */
export interface Plan {
  readonly proposal: string;
  readonly contracts: readonly { readonly taskId: string; readonly contract: string }[];
}

type World = Pick<Services, 'handoff' | 'journal'>;

export const planOf = (text: string, { tasks }: Pick<DraftOnPage, 'tasks'>): Plan => ({
  proposal: sha256(text),
  contracts: tasks.map(({ taskId, contract }) => ({ taskId, contract })),
});

/** Writes down what an approved proposal becomes; with the proposal's new name it counts, and a kill in between changes nothing. */
export const writePlan = ({ handoff }: Pick<World, 'handoff'>, plan: Plan): boolean =>
  handoff.write(FILES.proposalPlan, `${JSON.stringify(plan, null, 2)}\n`);

/** What was decided about this very text; undefined when nothing was. */
export function loadPlan({ handoff }: World, text: string): Plan | undefined {
  const read = handoff.read(FILES.proposalPlan);
  if (!read.ok || read.value === undefined) return undefined;
  const { proposal, contracts } = parseJsonObject<Plan>(read.value, ['proposal', 'contracts']) ?? {};
  return proposal === sha256(text) && Array.isArray(contracts) && contracts.length > 0
    ? { proposal, contracts }
    : undefined;
}

/**
 * Puts the contracts of a plan into the queue, each of them once, also where a killed andon had begun with it: what queue,
 * line or journal holds of it already is not made again. False, and nothing is written, while another file has the name of one.
 */
export function makeContracts(world: World, { proposal, contracts }: Plan): boolean {
  const toMake = contracts.filter(({ taskId }) => !isMade(world, taskId, proposal));
  const { handoff } = world;
  if (listConflictingFiles(world, { proposal, contracts }).length > 0) return false;
  return toMake.every(({ taskId, contract }) =>
    handoff.write(queued(taskId), contract, () => !handoff.exists(queued(taskId))),
  );
}

/** The other files in the queue that have the name of a contract which is still to be made. */
export const listConflictingFiles = (world: World, { proposal, contracts }: Plan): readonly string[] =>
  contracts
    .filter(({ taskId }) => !isMade(world, taskId, proposal) && world.handoff.exists(queued(taskId)))
    .map(({ taskId }) => `${HANDOFF}/${queued(taskId)}`);

/** Whether any contract of this proposal is there already. */
export const isBegun = (world: World, { proposal, contracts }: Plan): boolean =>
  contracts.some(({ taskId }) => isMade(world, taskId, proposal));

/** The tasks that an andon without plans made of this very text. */
export function listEarlierTasks({ handoff, journal }: World, text: string): string | undefined {
  const digest = sha256(text);
  const inQueue = handoff.queued().find((name) => holds(handoff, `${FILES.queue}/${name}`, digest));
  if (inQueue !== undefined) return inQueue.replace(/\.json$/, '');
  return journal.taskIds().find((id) => wasAdmitted(journal, id, digest));
}

/** Keeps the proposal under the name of its first task, with whose papers it goes into the archive. */
export function keepProposal({ handoff }: World, taskId: string, text: string): void {
  for (let number = 1; ; number += 1) {
    const kept = proposalCopyPath(number === 1 ? taskId : `${taskId}.${number}`);
    if (handoff.exists(kept)) continue;
    handoff.renameToFree(FILES.proposalTaken, kept, (found) => found === text);
    break;
  }
  for (const page of [FILES.proposalPlan, FILES.proposalDraft, FILES.proposalRejected]) handoff.remove(page);
}

const queued = (taskId: string): string => `${FILES.queue}/${taskId}.json`;

/** It may wait, lie in the place or behind a halt, be taken out by a human, or have begun. */
function isMade({ handoff, journal }: World, taskId: string, proposal: string): boolean {
  const places = [queued(taskId), FILES.contract, FILES.lock, `${FILES.withdrawn}/${taskId}.json`];
  return (
    places.some((name) => holds(handoff, name, proposal, taskId)) ||
    (journal.taskIds().includes(taskId) && wasAdmitted(journal, taskId, proposal))
  );
}

const wasAdmitted = (journal: World['journal'], taskId: string, proposal: string): boolean =>
  journal
    .entries(taskId)
    .some((entry) => entry.kind === 'admitted' && saidBy(JSON.stringify(entry.document)).proposal === proposal);

function holds(handoff: World['handoff'], name: string, proposal: string, taskId?: string): boolean {
  const read = handoff.read(name);
  if (!read.ok || read.value === undefined) return false;
  const said = saidBy(read.value);
  return said.proposal === proposal && (taskId === undefined || said.taskId === taskId);
}

/** The proposal that a contract was made of, by its digest, and its id. */
function saidBy(contract: string): { readonly proposal?: unknown; readonly taskId?: unknown } {
  const { metadata, task_id: taskId } = Object(parseJson(contract)) as {
    readonly metadata?: { readonly proposal?: unknown } | null;
    readonly task_id?: unknown;
  };
  return { proposal: metadata?.proposal, taskId };
}
