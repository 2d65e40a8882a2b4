import { BYTES_PER_TOKEN, computePromptRoom } from '../../../base/estimate-tokens.ts';
import { WORKS_AT } from '../../../base/agent-ids.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';
import type { Agent, LocalModels, ModelWindow } from '../../../agents/agent.ts';
import { getConfiguredModel, resolveProfileWorker } from '../../../agents/calls/resolve-driver.ts';
import { explainNoWorker } from '../../../agents/calls/explain-no-worker.ts';
import type { Needs } from '../../../line/services/services.ts';
import { failedCheck, warningCheck, passedCheck, type DoctorCheck } from './doctor-check.ts';
import { FILES, type RoleStation } from '../../../base/names.ts';
import { findProfile } from '../../../project/config/agent-profiles.ts';
import { parseContract } from '../../../project/contract/task-contract-schema.ts';
import { withRoles, type StandardRoles } from '../../../project/contract/task-contract.ts';

/** Below this window the implementer's own instructions and one file of 10 kB do not fit: nothing useful can be done. */
const HOPELESS = 8192;

const HOW_KNOWN = {
  loaded: 'allocated',
  parameter: 'its num_ctx',
  assumed: 'assumed until it is loaded',
} as const;

/** The programs of the agents, and every model that is really used, with its window. Nothing is spent, nothing is pulled. */
export async function* examineAgents(
  services: Needs<'agents' | 'profiles' | 'queue' | 'settings'>,
  { load }: { readonly load: boolean },
): AsyncGenerator<DoctorCheck> {
  const { local, profiles, judges, isJudgeUsed, unreadable } = listWorkers(services);
  for (const file of unreadable)
    yield warningCheck('contract', `${file} cannot be read as a contract`, '`andon contract lint` names every fault');
  const { id, localModels: models } = services.agents[WORKS_AT.implementer];
  if (models !== undefined && local.length > 0) {
    const program = await models.ready();
    yield program.ok ? passedCheck(id, program.value) : failedCheck(id, program.why.why, program.why.remedy);
    if (program.ok) for (const one of local) yield await examineModel(models, one, load);
  }
  for (const one of profiles) yield await examineProfile(services, one);
  if (isJudgeUsed) yield await examineJudge(services, judges);
}

/** Whether the program of a profile is there, is new enough and may ask its model; nothing is spent. */
async function examineProfile(
  services: Needs<'agents' | 'profiles' | 'settings'>,
  { name, stations }: { readonly name: string; readonly stations: readonly RoleStation[] },
): Promise<DoctorCheck> {
  const row = `agent ${name}`;
  for (const station of stations) {
    const why = explainNoWorker(services, name, station);
    if (why !== undefined)
      return failedCheck(row, `it cannot work as ${station}`, `expected ${why}; see \`andon agents list\``);
  }
  const { agent, model, edits } = resolveProfileWorker(services, name);
  const isEditor = edits && stations.includes('implementer');
  const found = isEditor && stations.length === 1 ? await probeEditing(agent) : await agent.probe(model);
  const why = isEditor ? await agent.editing?.unavailable() : undefined;
  if (found.ok && why !== undefined)
    return failedCheck(
      row,
      why,
      `docs/agents.md says what a program that edits files needs; then \`andon agents test ${name}\``,
    );
  return found.ok
    ? passedCheck(row, `${found.value}; works as ${stations.join(' and ')}${isEditor ? ', on the files itself' : ''}`)
    : failedCheck(
        row,
        found.why,
        `docs/agents.md says what it needs; then \`andon agents test ${name}\`, or name another in ${stations.join(' and ')}: \`andon agents list\``,
      );
}

/** Whether a program is there and new enough to be let at files; its own login is not used for that. */
const probeEditing = async (agent: Agent): Promise<Outcome<string, string>> => {
  const found = (await agent.fit?.()) ?? success('of unknown version');
  const missing = found.ok ? await agent.explainMissingOptions?.() : undefined;
  if (missing !== undefined) return failure(missing);
  return found.ok
    ? success(
        `${agent.id} ${found.value}, ${agent.editing?.usesLogin === true ? 'your login enters its cage' : 'key there'}, caged`,
      )
    : found;
};

/** The window that is worth having: what the role needs, but never more than the model was trained for. */
export const computeWantedWindow = (needed: number, largest: number | undefined): number =>
  Math.min(needed, largest ?? needed);

async function examineModel(models: LocalModels, used: ModelInUse, load: boolean): Promise<DoctorCheck> {
  const { role, model, spare } = used;
  const found = await models.window(model, { load });
  if (found.ok) return judgeWindow(used, found.value, models.standingFor(model));
  const { why, remedy } = found.why;
  return spare === undefined ? failedCheck(role, why, remedy) : warningCheck(role, `${why}; ${spare}`, remedy);
}

function judgeWindow(
  { role, model, needed }: ModelInUse,
  { tokens, known, asks, largest }: ModelWindow,
  standing: string,
): DoctorCheck {
  const name = standing === model ? model : `${model} (asked as ${standing})`;
  const detail = `${name}: window ${tokens} (${HOW_KNOWN[known]}), ${needed} needed`;
  if (tokens >= needed) return passedCheck(role, detail);
  const wanted = computeWantedWindow(needed, largest);
  const room = `a prompt may have about ${Math.floor((computePromptRoom(tokens) * BYTES_PER_TOKEN) / 1000)} kB until then`;
  const remedy = ((): string => {
    if (tokens >= wanted)
      return `this model was made for ${largest ?? wanted} tokens; take another one for large tasks: \`ollama list\``;
    if (known === 'loaded' && (asks ?? 0) >= wanted)
      return 'ollama allocates less than the model asks for: the log of `ollama serve` says why';
    if (known === 'assumed')
      return `\`andon doctor --load\` loads it and looks; \`--fix\` makes a model with a window of ${wanted}`;
    return `\`andon doctor --fix\` makes a model with a window of ${wanted} and uses it; ${room}`;
  })();
  return tokens < HOPELESS && known !== 'assumed'
    ? failedCheck(role, detail, remedy)
    : warningCheck(role, detail, remedy);
}

async function examineJudge(services: Needs<'agents' | 'settings'>, judges: readonly string[]): Promise<DoctorCheck> {
  const found = await services.agents[WORKS_AT.judge].probe(judges[0] ?? '');
  const named = judges.length === 0 ? '' : `; models that are named: ${judges.join(', ')}`;
  if (found.ok) return passedCheck('judge', `${found.value}${named}`);
  if (services.settings.judgeIsOutside)
    return warningCheck('judge', found.why, 'not needed with `judge: external` in .andon/config.yaml');
  return failedCheck('judge', found.why, 'do that, or set `judge: external` in .andon/config.yaml and judge yourself');
}

interface ModelInUse {
  readonly role: string;
  readonly model: string;
  /** The window that the role needs, in tokens. */
  readonly needed: number;
  /** Why it may well do no work at all; undefined for a model that a contract names, or the next one would. */
  readonly spare: string | undefined;
}

/**
 * The window that makes a role useful. A quarter of it stays free for the answer, and a token is taken for three bytes:
 * the implementer's 32768 hold a prompt of 72 kB, which is a contract with the files of an ordinary task; the reviewer's
 * 16384 hold 36 kB, which is a change of the default size (200 lines) with its context and what the gates said.
 */
const NEEDED = { implementer: 32_768, 'local-reviewer': 16_384 } as const;

const listByStation = (roles: StandardRoles): Readonly<Record<RoleStation, readonly string[]>> => ({
  implementer: roles.implementers,
  'local-reviewer': roles.reviewers ?? [roles.localReviewer],
  judge: roles.judges ?? [roles.judge],
});

/** Collects every model and profile once per role: the defaults, those of the configuration, those of contracts on the line and in the queue. */
export function listWorkers({ queue, settings, profiles }: Needs<'queue' | 'settings' | 'profiles'>) {
  const contracts: ReturnType<typeof listByStation>[] = [];
  const unreadable: string[] = [];
  for (const file of [FILES.lock, ...queue.waiting([]).map(({ name }) => name)]) {
    const text = queue.read(file);
    if (text.ok && text.value === undefined) continue;
    const parsed = text.ok ? parseContract(text.value ?? '') : text;
    if (parsed.ok) contracts.push(listByStation(withRoles(parsed.value.contract, settings.roles).roles));
    else unreadable.push(file);
  }
  const defaults = listByStation(settings.roles);
  const named = (station: RoleStation): readonly string[] => contracts.flatMap((one) => one[station]);
  /** Those that work on the contracts, or would on the next one. */
  const sure = (station: RoleStation): readonly string[] =>
    named(station).length === 0 ? defaults[station] : named(station);
  const isProfile = (name: string): boolean => findProfile(profiles, name).found !== undefined;
  const local = (['implementer', 'local-reviewer'] as const).flatMap((station) => {
    const unnamed = 'it is the default of new contracts, and none here names it';
    return [...new Set([...sure(station), ...defaults[station]])]
      .filter((model) => !isProfile(model))
      .map((model): ModelInUse => ({
        role: station.replace('-', ' '),
        model,
        needed: NEEDED[station],
        spare: sure(station).includes(model) ? undefined : unnamed,
      }));
  });
  const inUse = profiles.profiles.map(({ name }) => ({
    name,
    stations: (Object.keys(defaults) as RoleStation[]).filter((station) =>
      [...named(station), ...defaults[station]].includes(name),
    ),
  }));
  const judging = sure('judge');
  const judges = judging.filter((name) => name !== 'claude-code-cli' && !isProfile(name));
  const usual = getConfiguredModel(settings, WORKS_AT.judge);
  return {
    local,
    profiles: inUse.filter((one) => one.stations.length > 0),
    /** What judges may be called; empty = whatever the judge's program takes by itself. */
    judges: [...new Set([...(usual === '' ? [] : [usual]), ...judges])],
    /** Whether the default judge program may be asked. */
    isJudgeUsed: judging.some((name) => !isProfile(name)),
    unreadable,
  };
}
