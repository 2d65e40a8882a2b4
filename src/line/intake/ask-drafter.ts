import { failure, success, type Outcome } from '../../base/outcome.ts';
import { FLOOR_MANAGER, HUMAN, POLICY, type RoleStation } from '../../base/names.ts';
import { isProtected } from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ProposedTask } from '../../project/contract/draft/proposal.ts';
import { briefDraft, readDraftAnswer } from '../stations/read-draft-answer.ts';
import type { SpokenAnswer } from '../../agents/json-objects.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { resolveByName, resolveDriver, type Worker } from '../../agents/calls/resolve-driver.ts';
import { indexTree } from '../git/tree-index.ts';
import { reserveCall, runReserved, type StandaloneServices } from '../../agents/calls/run-standalone.ts';
import type { LineServices, Needs } from '../services/services.ts';
import { openLineServices } from '../services/configuration.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

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

type OwnServices = StandaloneServices & Needs<'agents' | 'folders' | 'nonce' | 'profiles' | 'repository' | 'settings'>;

interface CallOptions {
  /** A human waits at a terminal, so hours and nights do not delay the call. */
  readonly isTyped: boolean;
  readonly signal: AbortSignal;
  readonly onAsk?: (name: string) => void;
}

const HARD_MINUTES = 30;

/** An agent that could read prose, and its role. */
interface Reader {
  readonly name: string;
  readonly role: string;
  readonly worker: Worker | undefined;
}

/**
 * The agent that reads prose: `roles.proposal_reader`, or else the first one that answers of floor manager (gemini, unless
 * another is configured), judge, local reviewer and implementer.
 */
async function findReader(
  needs: OwnServices,
): Promise<Outcome<{ readonly name: string; readonly worker: Worker }, NoAnswer>> {
  const { proposalReader, floorManager } = needs.settings.roles;
  if (proposalReader === HUMAN || proposalReader === POLICY)
    return refuse(`roles.proposal_reader is ${proposalReader}, so no agent is asked about prose`);
  // Who keeps agents from this role may want no agent for prose either.
  if (proposalReader === undefined && (floorManager === HUMAN || floorManager === POLICY))
    return refuse(`roles.floor_manager is ${floorManager}; name an agent for prose in roles.proposal_reader`);
  const readers =
    proposalReader === undefined
      ? listReaders(needs)
      : [toReader(needs, 'proposal_reader', proposalReader, 'local-reviewer')];
  const faults: string[] = [];
  let mayPass = false;
  for (const { name, role, worker } of readers) {
    if (worker === undefined || !worker.agent.worksAt.includes('local-reviewer')) {
      faults.push(`${name} (roles.${role}) names no program that answers by a schema`);
      continue;
    }
    // An agent that is named for this is asked at once: its failure is the answer.
    if (name === proposalReader || name === floorManager) return success({ name, worker });
    const probed = await worker.agent.probe(worker.model);
    if (probed.ok) return success({ name, worker });
    faults.push(`${name} (roles.${role}): ${probed.why}`);
    mayPass = true;
  }
  return failure({ why: `no configured agent can read it: ${faults.join('; ')}`.slice(0, 1000), mayPass });
}

function listReaders(needs: OwnServices): readonly Reader[] {
  const { floorManager = FLOOR_MANAGER, judge, localReviewer, implementers } = needs.settings.roles;
  const named: readonly (readonly [role: string, name: string, station?: RoleStation])[] = [
    ['floor_manager', floorManager],
    ['judge', judge, 'judge'],
    ['local_reviewer', localReviewer, 'local-reviewer'],
    ['implementer', implementers[0] ?? '', 'implementer'],
  ];
  return named.map(([role, name, station]) => toReader(needs, role, name, station));
}

/** A profile or a driver; at a station any other name is a model of its usual program. */
function toReader(needs: OwnServices, role: string, name: string, station?: RoleStation): Reader {
  const worker = resolveDriver(needs, name);
  return { name, role, worker: worker ?? (station === undefined ? undefined : resolveByName(needs, station, name)) };
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
 * Asks an agent for the tasks of a proposal in prose, with secrets masked, and keeps the answer. The call
 * is reserved in the ledger. Unless it is typed, it begins only where hours and the night leave enough time. An unreadable
 * answer is a failure, and is not asked for again.
 */
export async function askDrafter(
  needs: OwnServices,
  proposal: string,
  options: CallOptions,
): Promise<Outcome<KeptAnswer, NoAnswer>> {
  const reader = await findReader(needs);
  if (!reader.ok) return reader;
  const { name, worker } = reader.value;
  options.onAsk?.(name);
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
    return failure({ why: `${kind}: ${detail}`.slice(0, 500), mayPass: kind === 'unavailable' || kind === 'aborted' });
  } finally {
    needs.folders.tidy(place);
  }
}

const refuse = (why: string): Outcome<never, NoAnswer> => failure({ why, mayPass: false });

const keyOf = (proposal: string): string => sha256(`a proposal\n${proposal}`);

/** A limit or a ceiling may be over after this time; other failures are final. */
const RETRY_MS = 15 * 60_000;

/**
 * Asks an agent about prose while the line goes on: one text at a time, each once. `onAnswer` is called after each call,
 * when there is an answer or a failure to read.
 */
export function createDrafter(services: LineServices, canStart: () => boolean, onAnswer: () => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let failed: { readonly text: string; readonly why: string; readonly until: number } | undefined;
  const askOnce = async (name: string, text: string): Promise<void> => {
    const onAsk = (agent: string): void =>
      services.say({ kind: 'word', level: 'info', text: `${name} is prose; asking ${agent} for its tasks` });
    const result = await askDrafter(openLineServices(services), text, { isTyped: false, signal, onAsk }).catch(
      (error: unknown) => refuse(getErrorMessage(error)),
    );
    if (result.ok) return;
    const { why, mayPass } = result.why;
    const until = mayPass ? performance.now() + RETRY_MS : Number.POSITIVE_INFINITY;
    failed = { text, why: `this is prose, without headings such as \`## Requirements\`; ${why}`, until };
  };
  return {
    /** Begins a call unless one runs. Returns why the call about this text failed; undefined while an answer may come. */
    ask(name: string, text: string): string | undefined {
      if (running !== undefined) return undefined;
      if (failed?.text === text && performance.now() < failed.until) return failed.why;
      if (signal.aborted || !canStart()) return undefined;
      running = askOnce(name, text).finally(() => {
        running = undefined;
        if (!signal.aborted) onAnswer();
      });
      return undefined;
    },
    /** Aborts a running call and waits for its end. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
