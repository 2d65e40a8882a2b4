import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { FLOOR_MANAGER, HUMAN, POLICY } from '../../base/names.ts';
import { isProtected } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ProposedTask } from '../../contract/draft/proposal.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../contract/task-contract-defaults.ts';
import { briefDraft } from '../../line/proposal/brief.ts';
import { readDraftAnswer } from '../../line/proposal/read-answer.ts';
import type { SpokenAnswer } from '../../line/proposal/read-answer.ts';
import { normaliseUsage } from '../../record/usage.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { resolveDriver } from '../calls/resolve-worker.ts';
import type { Worker } from '../calls/resolve-worker.ts';
import { indexTree } from '../git/tree-index.ts';
import { computeWanted } from '../night/claim-call.ts';
import { explainNotFor } from '../../wiring/user-limits.ts';
import { reserveStandalone } from '../../wiring/standalone-call.ts';
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
}

type OwnServices = Needs<'agents' | 'clock' | 'ends' | 'folders' | 'ledger' | 'limits' | 'nonce' | 'profiles'> &
  Needs<'repository' | 'settings' | 'stateName'>;

interface CallOptions {
  /** A human waits at a terminal, so hours and nights do not delay the call. */
  readonly isTyped: boolean;
  readonly signal: AbortSignal;
}

/** Minutes of a call without a sign of life, and altogether. */
const IDLE_MINUTES = DEFAULT_CONTRACT_LIMITS.timeoutMinutes;
const HARD_MINUTES = 30;

/** The agent to ask about prose: the configured floor manager, else gemini; undefined where no agent has that role. */
export function findDrafter({ settings }: Needs<'settings'>): string | undefined {
  const { floorManager: named = FLOOR_MANAGER } = settings.roles;
  return named === HUMAN || named === POLICY ? undefined : named;
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
  const name = findDrafter(needs);
  if (name === undefined)
    return refuse(
      `roles.floor_manager is ${needs.settings.roles.floorManager ?? ''}, so no agent is asked about prose`,
    );
  const worker = resolveDriver(needs, name);
  if (worker === undefined || !worker.agent.worksAt.includes('local-reviewer'))
    return refuse(`${name}, in the floor manager's place, names no program that answers by a schema`);
  const target = await needs.repository.target(needs.settings.target);
  if (!target.ok) return refuse(`there is no branch to merge into: ${target.why}`);
  const paths = (await needs.repository.files(target.value.commit)).map(({ path }) => path);
  const open = paths.filter((path) => !isProtected(path, needs.settings.protectedPaths));
  const answer = await callOnce(needs, worker, briefDraft(withoutSecrets(proposal), open, needs.nonce()), options);
  if (!answer.ok) return failure({ ...answer.why, why: `${name} gave no answer (${answer.why.why})` });
  const { text, structured } = answer.value;
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
  { agent, model, limits }: Worker,
  { prompt, schema }: ReturnType<typeof briefDraft>,
  { isTyped, signal }: CallOptions,
): Promise<Outcome<SpokenAnswer, NoAnswer>> {
  const minutes = Math.min(HARD_MINUTES, limits.hardMinutes ?? HARD_MINUTES);
  const wanted = computeWanted({ agent, prompt, usd: undefined, tokens: undefined, minutes });
  const at = needs.clock.now();
  const late = isTyped ? undefined : explainNotFor(needs, at, minutes);
  if (late !== undefined) return failure({ why: late.reason, mayPass: true });
  const taken = reserveStandalone(needs, { state: needs.stateName, station: 'floor-manager' }, wanted, at);
  if (!taken.ok) return failure({ why: taken.why.reason, mayPass: true });
  const { reserve, came, unused } = taken.value;
  const place = `draft-${process.pid}`;
  let isAsked = false;
  try {
    const folder = needs.folders.empty(place);
    isAsked = true;
    const result = await agent.run({
      prompt,
      ...(schema === undefined ? {} : { schema }),
      model,
      folder,
      idleMs: Math.min(IDLE_MINUTES, limits.idleMinutes ?? IDLE_MINUTES) * 60_000,
      hardMs: reserve.minutes * 60_000,
      ...(agent.capabilities.takesBudget && reserve.usd !== null ? { maxUsd: reserve.usd } : {}),
      signal,
    });
    const used = result.ok ? result.value : result.why;
    came({ ...normaliseUsage(used), ms: used.ms });
    if (result.ok) return success(result.value);
    const { kind, detail } = result.why;
    return failure({ why: `${kind}: ${detail}`.slice(0, 500), mayPass: kind === 'unavailable' || kind === 'aborted' });
  } finally {
    if (!isAsked) unused();
    needs.folders.tidy(place);
  }
}

const refuse = (why: string): Outcome<never, NoAnswer> => failure({ why, mayPass: false });

const keyOf = (proposal: string): string => sha256(`a proposal\n${proposal}`);
