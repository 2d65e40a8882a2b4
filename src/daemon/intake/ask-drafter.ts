import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { FLOOR_MANAGER, HUMAN, POLICY } from '../../base/names.ts';
import { isProtected } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ProposedTask } from '../../contract/draft/proposal.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../contract/task-contract-defaults.ts';
import { briefDraft } from '../../line/proposal/brief.ts';
import { readDraftAnswer } from '../../line/proposal/read-answer.ts';
import { normaliseUsage } from '../../record/usage.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { resolveDriver } from '../calls/resolve-worker.ts';
import type { Worker } from '../calls/resolve-worker.ts';
import { indexTree } from '../git/tree-index.ts';
import { computeWanted } from '../night/claim-call.ts';
import { explainNotFor } from '../../wiring/user-limits.ts';
import { reserveStandalone } from '../../wiring/standalone-call.ts';
import type { Services } from '../../wiring/services.ts';

/** What an agent made of a proposal in prose, as it is kept: its answer is read anew each time. */
interface KeptAnswer {
  /** The agent and its model, for whoever approves. */
  readonly by: string;
  readonly text: string;
  readonly structured?: unknown;
}

/** Why there is no answer, and whether asking again later may bring one. */
interface NoAnswer {
  readonly why: string;
  readonly mayPass: boolean;
}

type World = Pick<
  Services,
  | 'agents'
  | 'clock'
  | 'ends'
  | 'folders'
  | 'ledger'
  | 'limits'
  | 'nonce'
  | 'profiles'
  | 'repository'
  | 'settings'
  | 'stateName'
>;

/** Of a call that nobody looks at: minutes without a sign of life, and altogether. */
const IDLE_MINUTES = DEFAULT_CONTRACT_LIMITS.timeoutMinutes;
const HARD_MINUTES = 30;

/** Who is asked about prose: whom the configuration names as the floor manager, else gemini; nobody where that is no agent. */
export function findDrafter({ settings }: Pick<Services, 'settings'>): string | undefined {
  const { floorManager: named = FLOOR_MANAGER } = settings.roles;
  return named === HUMAN || named === POLICY ? undefined : named;
}

/** What was made of this very text; undefined when nobody was asked, or it is forgotten. */
export function loadDraft({ folders }: Pick<Services, 'folders'>, proposal: string): KeptAnswer | undefined {
  try {
    const kept = Object(JSON.parse(folders.readOpinion(keyOf(proposal)) ?? 'null')) as Partial<KeptAnswer>;
    const { by, text, structured } = kept;
    if (typeof by !== 'string' || typeof text !== 'string') return undefined;
    return { by, text, ...(structured === undefined ? {} : { structured }) };
  } catch {
    return undefined;
  }
}

/**
 * Asks the floor manager's agent what a proposal in prose comes to, and keeps the answer. The call is set aside for like
 * every other, and where nobody waits at a terminal (`isTyped`: somebody does) it begins only where the user's hours and his
 * night let it be over in time; secrets in the text are masked. An answer that cannot be read is none, and nobody is asked a
 * second time.
 */
export async function askDrafter(
  world: World,
  proposal: string,
  { isTyped, signal }: { readonly isTyped: boolean; readonly signal: AbortSignal },
): Promise<Outcome<KeptAnswer, NoAnswer>> {
  const name = findDrafter(world);
  if (name === undefined)
    return never(`roles.floor_manager is ${world.settings.roles.floorManager ?? ''}, so no agent is asked about prose`);
  const worker = resolveDriver(world, name);
  if (worker === undefined || !worker.agent.worksAt.includes('local-reviewer'))
    return never(`${name}, in the floor manager's place, names no program that answers by a schema`);
  const target = await world.repository.target(world.settings.target);
  if (!target.ok) return never(`there is no branch to merge into: ${target.why}`);
  const paths = (await world.repository.files(target.value.commit)).map(({ path }) => path);
  const brief = briefDraft(
    withoutSecrets(proposal),
    paths.filter((path) => !isProtected(path, world.settings.protectedPaths)),
    world.nonce(),
  );
  const answer = await callOnce(world, worker, brief, { isTyped, signal });
  if (!answer.ok) return failure({ ...answer.why, why: `${name} gave no answer (${answer.why.why})` });
  const { text, structured } = answer.value;
  const by = worker.model === '' ? name : `${name} (${worker.model})`;
  const kept: KeptAnswer = { by, text, ...(structured === undefined ? {} : { structured }) };
  const read = await listDraftedTasks(world, proposal, kept);
  if (!read.ok) return never(`what ${name} says does not count: ${read.why}`);
  world.folders.keepOpinion(keyOf(proposal), JSON.stringify(kept));
  return success(kept);
}

/** The tasks that a kept answer comes to, held against the files that the target has now. */
export async function listDraftedTasks(
  { repository, settings }: Pick<Services, 'repository' | 'settings'>,
  proposal: string,
  { by, text, structured }: KeptAnswer,
): Promise<Outcome<readonly ProposedTask[], string>> {
  const target = await repository.target(settings.target);
  if (!target.ok) return failure(target.why);
  const { byPath, folders } = indexTree(await repository.files(target.value.commit));
  return readDraftAnswer(
    { text, ...(structured === undefined ? {} : { structured }) },
    {
      proposal,
      digest: sha256(proposal),
      by,
      isFile: (path) => byPath.has(path),
      isFolder: (path) => folders.has(path),
      isProtected: (path) => isProtected(path, settings.protectedPaths),
    },
  );
}

async function callOnce(
  world: World,
  { agent, model, limits }: Worker,
  brief: ReturnType<typeof briefDraft>,
  { isTyped, signal }: { readonly isTyped: boolean; readonly signal: AbortSignal },
): Promise<Outcome<{ readonly text: string; readonly structured?: unknown }, NoAnswer>> {
  const minutes = Math.min(HARD_MINUTES, limits.hardMinutes ?? HARD_MINUTES);
  const wanted = computeWanted({ agent, prompt: brief.prompt, usd: undefined, tokens: undefined, minutes });
  const at = world.clock.now();
  const late = isTyped ? undefined : explainNotFor(world, at, minutes);
  if (late !== undefined) return failure({ why: late.reason, mayPass: true });
  const taken = reserveStandalone(world, { state: world.stateName, station: 'floor-manager' }, wanted, at);
  if (!taken.ok) return failure({ why: taken.why.reason, mayPass: true });
  const { reserve, came, unused } = taken.value;
  const place = `draft-${process.pid}`;
  let isAsked = false;
  try {
    const folder = world.folders.empty(place);
    isAsked = true;
    const result = await agent.run({
      prompt: brief.prompt,
      ...(brief.schema === undefined ? {} : { schema: brief.schema }),
      model,
      folder,
      idleMs: Math.min(IDLE_MINUTES, limits.idleMinutes ?? IDLE_MINUTES) * 60_000,
      hardMs: reserve.minutes * 60_000,
      ...(agent.capabilities.takesBudget && reserve.usd !== null ? { maxUsd: reserve.usd } : {}),
      signal,
    });
    const said = result.ok ? result.value : result.why;
    came({ ...normaliseUsage(said), ms: said.ms });
    if (result.ok) return success(result.value);
    const { kind, detail } = result.why;
    return failure({ why: `${kind}: ${detail}`.slice(0, 500), mayPass: kind === 'unavailable' || kind === 'aborted' });
  } finally {
    if (!isAsked) unused();
    world.folders.tidy(place);
  }
}

const never = (why: string): Outcome<never, NoAnswer> => failure({ why, mayPass: false });

const keyOf = (proposal: string): string => sha256(`a proposal\n${proposal}`);
