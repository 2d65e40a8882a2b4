import { realpathSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { withProvider } from '../config/llm-settings.ts';
import { LLM_PROVIDERS } from '../rule-model/rule-words.ts';
import type { LlmSettings } from '../config/llm-settings.ts';
import { RULE_OPINION_JSON_SCHEMA } from '../rule-model/rule-opinion.ts';
import type { AskModel } from '../rules/checks/check.ts';
import { matchFromOpinion, undecided } from '../rules/matchers/llm.ts';
import { maskSecrets } from '../rules/secrets/mask.ts';
import { toTerminalLine } from '../base/plain-text.ts';
import { failure, success } from '../base/outcome.ts';
import { createUsageError, Problem } from '../base/problem.ts';
import { isInside } from '../wiring/is-inside.ts';
import { getStatesHome, openLedgerIfPossible } from '../wiring/open-ledger.ts';
import { openVercelModel } from '../wiring/open-model.ts';
import { openForReading } from '../wiring/open-reader.ts';
import type { Workspace } from '../wiring/load-workspace.ts';
import { reserveStandalone } from '../wiring/standalone-call.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { askWithRetry } from './ask-with-retry.ts';
import type { CostMeter } from './ask-with-retry.ts';
import type { ModelAccess } from './lane-tools.ts';
import { ANSWER_TOKENS, newNonce, ruleQuestion } from './model-questions.ts';

/** Opens the language model that `--llm` asks, or says what is missing; nothing is asked before the first rule is. */
export async function openAsk(place: Workspace, env: NodeJS.ProcessEnv): Promise<AskModel> {
  const { name, ask } = await openAsking(place, env);
  return async (rule, text, signal) => {
    // Possible secrets are never sent to a model.
    const question = ruleQuestion(rule, maskSecrets(text), newNonce());
    const shaped = { ...question, schema: RULE_OPINION_JSON_SCHEMA, maxAnswerTokens: ANSWER_TOKENS };
    const answer = await ask(shaped, signal);
    return answer.ok ? matchFromOpinion(answer.value.value) : undecided(`${name}: ${answer.why}`);
  };
}

/** Opens the model, or of several that the settings' provider has each for when the one before it gives no answer; all share one budget. */
export async function openAsking(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  models: readonly string[] = [],
): Promise<ModelAccess> {
  // An explicitly configured server is never replaced silently by another.
  const ignored = place.settings.notices.find((notice) => notice.includes('`llm.'));
  if (ignored !== undefined)
    throw new Problem('bad-configuration', ignored, 'take it out of the project, and try again');
  const settings = settingsFor(place.settings.llm, env);
  const opened: LanguageModel[] = [];
  for (const model of models.length === 0 ? [settings.model] : modelsOf(settings, models)) {
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
  return {
    name: opened.map(({ name }) => name).join(', '),
    ask: askWithRetry(opened, settings, purseOf(place, settings)),
  };
}

/** The models of a list as the provider calls them; what goes to another provider than the one that was chosen is refused. */
function modelsOf({ provider }: LlmSettings, models: readonly string[]): readonly string[] {
  return models.map((written) => {
    const [first = '', ...rest] = written.split('/');
    if (rest.length === 0 || !(LLM_PROVIDERS as readonly string[]).includes(first)) return written;
    if (first === provider) return rest.join('/');
    throw new Problem(
      'bad-configuration',
      `pipeline.enforcement.llm_judge_models names ${toTerminalLine(written, 80)}, and --llm asks ${provider}`,
      `name models of ${provider}, or choose ${first} as llm.provider in your own configuration`,
    );
  });
}

/**
 * What the user's ceilings leave for the questions of one run. Without a ceiling nothing is refused, and where nothing can
 * be kept (a CI machine without a home) nothing is counted either.
 */
function purseOf({ state, settings }: Pick<Workspace, 'state' | 'settings'>, llm: LlmSettings): CostMeter {
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

/** Code that the repository itself carries is never run by andon, also not as a package. */
export async function explainTrackedCode(place: Workspace, folder: string): Promise<string | undefined> {
  const { root } = place.facts;
  const real = realpathSync(folder);
  if (!isInside(real, root)) return undefined;
  const repository = await openForReading(place);
  const commit = await repository.resolve((await repository.checkedOut()) ?? 'HEAD').catch(() => undefined);
  const files = commit === undefined ? [] : await repository.files(commit);
  const below = `${relative(root, real).split(sep).join('/')}/`;
  if (!files.some(({ path }) => path.startsWith(below))) return undefined;
  return `${below} is part of this repository, and code of a repository is not run by andon`;
}

/** The environment names a provider over every file; the first of the two names wins. */
function settingsFor(settings: LlmSettings, env: NodeJS.ProcessEnv): LlmSettings {
  const name = ['ANDON_LLM_PROVIDER', 'RULEBOUND_LLM_PROVIDER'].find((one) => (env[one] ?? '') !== '');
  if (name === undefined) return settings;
  const provider = LLM_PROVIDERS.find((one) => one === env[name]);
  if (provider === undefined)
    throw createUsageError(`${name} names a provider that is not known`, `one of: ${LLM_PROVIDERS.join(', ')}`);
  return withProvider(settings, provider);
}
