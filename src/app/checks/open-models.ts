import { basename } from 'node:path';
import { withProvider, type LlmSettings } from '../../project/config/llm-settings.ts';
import { LLM_PROVIDERS } from '../../project/config/config-words.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { failure, success } from '../../base/outcome.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { getStatesHome, openLedgerIfPossible, openLedgerIn } from '../../line/calls/open-ledger.ts';
import { openVercelModel } from '../../agents/models/vercel.ts';
import { NO_JOURNAL } from '../../line/journal/open-journal.ts';
import { explainTrackedCode } from '../../rules/files/explain-tracked-code.ts';
import { buildServices } from '../../line/services/open-services.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { reserveStandalone } from '../../agents/calls/run-standalone.ts';
import type { LanguageModel } from '../../agents/language-model.ts';
import { resolveAnswerer } from '../../agents/calls/resolve-driver.ts';
import { createAgentModel } from '../../rules/files/agent-model.ts';
import { askWithRetry, type CostMeter } from '../../rules/files/ask-with-retry.ts';
import type { ModelAccess } from '../../rules/files/lane-tools.ts';

/**
 * Opens the agent or the model that `llm` names, or throws with what is missing; each run has limits of its own. Of several `models` of the one provider or agent each takes
 * over where the one before it gives no answer; all share one budget.
 */
export async function openModels(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  models: readonly string[] = [],
): Promise<(signal?: AbortSignal) => ModelAccess> {
  // An explicitly configured server is never replaced silently by another.
  const ignored = place.settings.notices.find((notice) => notice.includes('`llm.'));
  if (ignored !== undefined)
    throw new Problem('bad-configuration', ignored, 'take it out of the project, and try again');
  const settings = applyEnvironment(place.settings.llm, env);
  const { agent } = settings;
  const named = models.length === 0 ? [settings.model] : parseModelNames(agent ?? settings.provider, models);
  const opened =
    agent === undefined
      ? await openProviderModels(place, env, settings, named)
      : await openAgentModels(place, env, settings, named);
  return (signal) => {
    const ask = askWithRetry(opened, settings, agent === undefined ? createCostMeter(place, settings) : undefined);
    const name = opened.map((one) => one.name).join(', ');
    return { name, ask: (question, own = signal) => ask(question, own) };
  };
}

async function openProviderModels(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  settings: LlmSettings,
  models: readonly (string | undefined)[],
): Promise<readonly LanguageModel[]> {
  const opened: LanguageModel[] = [];
  for (const model of models) {
    const made = await openVercelModel(
      { ...settings, model },
      {
        env,
        projectRoot: place.facts.root,
        whyNotLoaded: ({ folder }) => explainTrackedCode(place, folder),
      },
    );
    if (!made.ok) throw createUsageError(made.why.sentence, made.why.remedy);
    opened.push(made.value);
  }
  return opened;
}

async function openAgentModels(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  settings: LlmSettings,
  models: readonly (string | undefined)[],
): Promise<readonly LanguageModel[]> {
  const services = await buildServices(place, env, () => {}, NO_JOURNAL, 'asking');
  const worker = resolveAnswerer(services);
  if (worker?.ok !== true)
    throw new Problem(
      'bad-configuration',
      worker?.why ?? 'llm names no agent',
      'correct `llm` in your own configuration; `andon agents list` shows every agent',
    );
  const world = { ...services, ledger: openLedgerIn(getStatesHome(place)) };
  return models.map((model) =>
    createAgentModel(world, { ...worker.value, model: model ?? worker.value.model }, settings.timeoutMs),
  );
}

/** The models of a list as the chosen provider or agent calls them; models of another provider are refused. */
function parseModelNames(chosen: string, models: readonly string[]): readonly string[] {
  return models.map((written) => {
    const [first = '', ...rest] = written.split('/');
    if (rest.length > 0 && first === chosen) return rest.join('/');
    if (rest.length === 0 || !(LLM_PROVIDERS as readonly string[]).includes(first)) return written;
    throw new Problem(
      'bad-configuration',
      `pipeline.enforcement.llm_judge_models names ${toTerminalLine(written, 80)}, and --llm asks ${chosen}`,
      `name models of ${chosen}, or choose ${first} as llm.provider in your own configuration`,
    );
  });
}

/**
 * Reserves what the user's ceilings leave for a provider's answer. Without a ceiling nothing is refused; on a machine
 * without a home, such as in CI, nothing is counted.
 */
function createCostMeter({ state, settings }: Pick<Workspace, 'state' | 'settings'>, llm: LlmSettings): CostMeter {
  const ledger = openLedgerIfPossible(getStatesHome({ state }));
  const { ceilings } = settings;
  const hasNone = Object.keys(ceilings.all).length + Object.keys(ceilings.accounts).length === 0;
  return ({ tokens, usd }) => {
    if (ledger === undefined)
      return hasNone ? success(() => {}) : failure('the ledger that your ceilings rest on cannot be opened');
    const minutes = llm.timeoutMs / 60_000;
    const wanted = {
      account: llm.provider,
      isFree: llm.provider === 'ollama',
      isUnpriced: llm.usdPerMillion === undefined,
      usd,
      tokens,
      window: tokens,
      minutes,
      least: { usd, tokens, minutes },
    };
    const taken = reserveStandalone(
      { limits: () => settings, ledger },
      { state: basename(state), station: 'llm' },
      wanted,
      new Date().toISOString(),
    );
    return taken.ok ? success(taken.value.settle) : failure(taken.why.reason);
  };
}

/** The environment names a provider over every file; the first of the two names wins. */
function applyEnvironment(settings: LlmSettings, env: NodeJS.ProcessEnv): LlmSettings {
  const name = ['ANDON_LLM_PROVIDER', 'RULEBOUND_LLM_PROVIDER'].find((one) => (env[one] ?? '') !== '');
  if (name === undefined) return settings;
  const provider = LLM_PROVIDERS.find((one) => one === env[name]);
  if (provider === undefined)
    throw createUsageError(`${name} names a provider that is not known`, `one of: ${LLM_PROVIDERS.join(', ')}`);
  return withProvider(settings, provider);
}
