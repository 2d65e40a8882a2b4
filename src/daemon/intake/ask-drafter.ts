import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { WORKS_AT } from '../../base/agents.ts';
import { FLOOR_MANAGER, HUMAN, POLICY } from '../../base/names.ts';
import { isProtected } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ProposedTask } from '../../contract/draft/proposal.ts';
import { briefDraft } from '../../line/proposal/brief.ts';
import { readDraftAnswer } from '../../line/proposal/read-answer.ts';
import type { SpokenAnswer } from '../../line/proposal/read-answer.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { resolveDriver } from '../calls/resolve-worker.ts';
import type { Worker } from '../calls/resolve-worker.ts';
import { indexTree } from '../git/tree-index.ts';
import { reserveCall, runReserved } from '../calls/run-standalone.ts';
import type { StandaloneServices } from '../calls/run-standalone.ts';
import type { Needs } from '../../wiring/services.ts';

/** An agent's answer about a proposal in prose, as kept; it is parsed at each use. */
interface KeptAnswer extends SpokenAnswer {
  /** The agent and its model, shown to the human who approves. */
  readonly by: string;
}

/** Why there is no answer, and whether a later call may bring one. */
interface NoAnswer {
  readonly why: string;
  readonly mayPass: boolean;
  /** The program is not installed. */
  readonly isMissing?: boolean;
}

type OwnServices = StandaloneServices & Needs<'agents' | 'folders' | 'nonce' | 'profiles' | 'repository' | 'settings'>;

interface CallOptions {
  /** A human waits at a terminal, so hours and nights do not delay the call. */
  readonly isTyped: boolean;
  readonly signal: AbortSignal;
}

const HARD_MINUTES = 30;

/** The agent to ask about prose: the configured floor manager, else gemini; undefined where no agent has that role. */
export function findDrafter({ settings }: Needs<'settings'>): string | undefined {
  const { floorManager: named = FLOOR_MANAGER } = settings.roles;
  return named === HUMAN || named === POLICY ? undefined : named;
}

interface NamedWorker {
  readonly name: string;
  readonly worker: Worker;
}

/**
 * The agents that may read prose, in order: the configured floor manager alone; without one gemini, and where it is not
 * installed the judge's program, then the local reviewer's.
 */
function listDrafters(needs: OwnServices): Outcome<readonly NamedWorker[], string> {
  const { floorManager: named, localReviewer } = needs.settings.roles;
  if (named === HUMAN || named === POLICY)
    return failure(`roles.floor_manager is ${named}, so no agent is asked about prose`);
  const names = named === undefined ? [FLOOR_MANAGER, WORKS_AT.judge, WORKS_AT['local-reviewer']] : [named];
  const found = names.flatMap((name): NamedWorker[] => {
    const worker = resolveDriver(needs, name);
    if (worker?.agent.worksAt.includes('local-reviewer') !== true) return [];
    const needsModel = worker.model === '' && worker.agent.localModels !== undefined;
    return [{ name, worker: needsModel ? { ...worker, model: localReviewer } : worker }];
  });
  return found.length > 0
    ? success(found)
    : failure(`${names[0] ?? ''}, in the floor manager's place, names no program that answers by a schema`);
}

/** The kept answer about exactly this text. */
export function loadDraft({ folders }: Needs<'folders'>, proposal: string): KeptAnswer | undefined {
  try {
    const kept = Object(JSON.parse(folders.readOpinion(keyOf(proposal)) ?? 'null')) as Partial<KeptAnswer>;
    const { by, text, structured } = kept;
    return typeof by === 'string' && typeof text === 'string' ? { by, text, structured } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Asks the floor manager's agent for the tasks of a proposal in prose, with secrets masked, and keeps the answer. The call
 * is reserved in the ledger. Unless it is typed, it begins only where hours and the night leave enough time. An unreadable
 * answer is a failure, and is not asked for again.
 */
export async function askDrafter(
  needs: OwnServices,
  proposal: string,
  options: CallOptions,
): Promise<Outcome<KeptAnswer, NoAnswer>> {
  const drafters = listDrafters(needs);
  if (!drafters.ok) return refuse(drafters.why);
  const target = await needs.repository.target(needs.settings.target);
  if (!target.ok) return refuse(`there is no branch to merge into: ${target.why}`);
  const paths = (await needs.repository.files(target.value.commit)).map(({ path }) => path);
  const open = paths.filter((path) => !isProtected(path, needs.settings.protectedPaths));
  const brief = briefDraft(withoutSecrets(proposal), open, needs.nonce());
  let first: NoAnswer | undefined;
  for (const { name, worker } of drafters.value) {
    const answer = await callOnce(needs, worker, brief, options);
    if (answer.ok) return keepAnswer(needs, proposal, { name, worker }, answer.value);
    first ??= { ...answer.why, why: `${name} gave no answer (${answer.why.why})` };
    if (answer.why.isMissing !== true) break;
  }
  return failure(first ?? { why: 'there is no agent to ask', mayPass: false });
}

/** Keeps an answer that can be read; another one is final. */
async function keepAnswer(
  needs: OwnServices,
  proposal: string,
  { name, worker }: NamedWorker,
  { text, structured }: SpokenAnswer,
): Promise<Outcome<KeptAnswer, NoAnswer>> {
  const kept = { by: worker.model === '' ? name : `${name} (${worker.model})`, text, structured };
  const read = await listDraftedTasks(needs, proposal, kept);
  if (!read.ok) return refuse(`the answer of ${name} does not count: ${read.why}`);
  needs.folders.keepOpinion(keyOf(proposal), JSON.stringify(kept));
  return success(kept);
}

/** The tasks of a kept answer, checked against the current files of the target. */
export async function listDraftedTasks(
  { repository, settings }: Needs<'repository' | 'settings'>,
  proposal: string,
  { by, ...answer }: KeptAnswer,
): Promise<Outcome<readonly ProposedTask[], string>> {
  const target = await repository.target(settings.target);
  if (!target.ok) return failure(target.why);
  const { byPath, folders } = indexTree(await repository.files(target.value.commit));
  return readDraftAnswer(answer, {
    proposal,
    by,
    isFile: (path) => byPath.has(path),
    isFolder: (path) => folders.has(path),
    isProtected: (path) => isProtected(path, settings.protectedPaths),
  });
}

async function callOnce(
  needs: OwnServices,
  worker: Worker,
  brief: ReturnType<typeof briefDraft>,
  { isTyped, signal }: CallOptions,
): Promise<Outcome<SpokenAnswer, NoAnswer>> {
  const { prompt } = brief;
  const taken = reserveCall(needs, worker, { station: 'floor-manager', prompt, minutes: HARD_MINUTES, isTyped });
  if (!taken.ok) return failure({ why: taken.why.reason, mayPass: true });
  const place = `draft-${process.pid}`;
  try {
    const makeFolder = (): string => needs.folders.empty(place);
    const result = await runReserved(worker, taken.value, { brief, makeFolder, signal });
    if (result.ok) return result;
    const { kind, detail } = result.why;
    const mayPass = kind === 'unavailable' || kind === 'aborted';
    return failure({ why: `${kind}: ${detail}`.slice(0, 500), mayPass, isMissing: kind === 'missing' });
  } finally {
    needs.folders.tidy(place);
  }
}

const refuse = (why: string): Outcome<never, NoAnswer> => failure({ why, mayPass: false });

const keyOf = (proposal: string): string => sha256(`a proposal\n${proposal}`);
