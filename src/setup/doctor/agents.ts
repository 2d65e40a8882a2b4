import { BYTES_PER_TOKEN, promptRoom } from '../../base/tokens.ts';
import { WORKS_AT } from '../../base/agents.ts';
import { success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Agent, LocalModels, ModelWindow } from '../../ports/agent.ts';
import { workerBy } from '../../daemon/calls/who-works.ts';
import { whyNoWorker } from '../../daemon/calls/why-no-worker.ts';
import type { Services } from '../../wiring/services.ts';
import { broken, poor, well } from './check.ts';
import type { Check } from './check.ts';
import { workersOf } from './models-in-use.ts';
import type { ModelInUse, ProfileInUse } from './models-in-use.ts';

/** Below this window the implementer's own instructions and one file of 10 kB do not fit: nothing useful can be done. */
const HOPELESS = 8192;

const HOW_KNOWN = {
  loaded: 'allocated',
  parameter: 'its num_ctx',
  assumed: 'assumed until it is loaded',
} as const;

/** The programs of the agents, and every model that is really used, with its window. Nothing is spent, nothing is pulled. */
export async function* examineAgents(services: Services, { load }: { readonly load: boolean }): AsyncGenerator<Check> {
  const { local, profiles, judges, isJudgeUsed, unreadable } = workersOf(services);
  for (const file of unreadable)
    yield poor('contract', `${file} cannot be read as a contract`, '`andon contract lint` names every fault');
  const { id, localModels: models } = services.agents[WORKS_AT.implementer];
  if (models !== undefined && local.length > 0) {
    const program = await models.ready();
    yield program.ok ? well(id, program.value) : broken(id, program.why.why, program.why.remedy);
    if (program.ok) for (const one of local) yield await examineModel(models, one, load);
  }
  for (const one of profiles) yield await examineProfile(services, one);
  if (isJudgeUsed) yield await examineJudge(services, judges);
}

/** Whether the program of a profile is there, is new enough and may ask its model; nothing is spent. */
async function examineProfile(services: Services, { name, stations }: ProfileInUse): Promise<Check> {
  const row = `agent ${name}`;
  for (const station of stations) {
    const why = whyNoWorker(services, name, station);
    if (why !== undefined) return broken(row, `it cannot work as ${station}`, `expected ${why}`);
  }
  const { agent, model, edits } = workerBy(services, name);
  const isEditor = edits && stations.includes('implementer');
  const found = isEditor && stations.length === 1 ? await whetherItEdits(agent) : await agent.probe(model);
  const lacks = found.ok ? await agent.lacks?.() : undefined;
  if (lacks !== undefined) return broken(row, lacks, 'install the version that docs/agents.md names');
  const why = isEditor ? await agent.editing?.unavailable() : undefined;
  if (found.ok && why !== undefined)
    return broken(row, why, 'put that right; docs/agents.md says what a program that works on the files itself needs');
  return found.ok
    ? well(row, `${found.value}; works as ${stations.join(' and ')}${isEditor ? ', on the files itself' : ''}`)
    : broken(
        row,
        found.why,
        `put that right, or name another in ${stations.join(' and ')}; docs/agents.md says what each program needs`,
      );
}

/** Whether a program is there and new enough to be let at files; its own login is not used for that. */
const whetherItEdits = async (agent: Agent): Promise<Outcome<string, string>> => {
  const found = (await agent.fit?.()) ?? success('of unknown version');
  return found.ok
    ? success(
        `${agent.id} ${found.value}, ${agent.editing?.usesLogin === true ? 'your login enters its cage' : 'key there'}, caged`,
      )
    : found;
};

/** The window that is worth having: what the role needs, but never more than the model was trained for. */
export const wantedWindow = (needed: number, largest: number | undefined): number =>
  Math.min(needed, largest ?? needed);

async function examineModel(models: LocalModels, used: ModelInUse, load: boolean): Promise<Check> {
  const { role, model, spare } = used;
  const found = await models.window(model, { load });
  if (found.ok) return judgeWindow(used, found.value, models.standingFor(model));
  const { why, remedy } = found.why;
  return spare === undefined ? broken(role, why, remedy) : poor(role, `${why}; ${spare}`, remedy);
}

/** Whether a window does for a role, in words. */
function judgeWindow(
  { role, model, needed }: Pick<ModelInUse, 'role' | 'model' | 'needed'>,
  { tokens, known, asks, largest }: ModelWindow,
  standing: string,
): Check {
  const name = standing === model ? model : `${model} (asked as ${standing})`;
  const detail = `${name}: window ${tokens} (${HOW_KNOWN[known]}), ${needed} needed`;
  if (tokens >= needed) return well(role, detail);
  const wanted = wantedWindow(needed, largest);
  const room = `a prompt may have about ${Math.floor((promptRoom(tokens) * BYTES_PER_TOKEN) / 1000)} kB until then`;
  const remedy = ((): string => {
    if (tokens >= wanted)
      return `this model was made for ${largest ?? wanted} tokens; take another one for large tasks`;
    if (known === 'loaded' && (asks ?? 0) >= wanted)
      return 'ollama allocates less than the model asks for: the log of `ollama serve` says why';
    if (known === 'assumed')
      return `\`andon doctor --load\` loads it and looks; \`--fix\` makes a model with a window of ${wanted}`;
    return `\`andon doctor --fix\` makes a model with a window of ${wanted} and uses it; ${room}`;
  })();
  return tokens < HOPELESS && known !== 'assumed' ? broken(role, detail, remedy) : poor(role, detail, remedy);
}

async function examineJudge(services: Services, judges: readonly string[]): Promise<Check> {
  const found = await services.agents[WORKS_AT.judge].probe(judges[0] ?? '');
  const named = judges.length === 0 ? '' : `; models that are named: ${judges.join(', ')}`;
  if (found.ok) return well('judge', `${found.value}${named}`);
  if (services.settings.judgeIsOutside)
    return poor('judge', found.why, 'not needed with `judge: external` in .andon/config.yaml');
  return broken('judge', found.why, 'do that, or say `judge: external` in .andon/config.yaml and judge yourself');
}
