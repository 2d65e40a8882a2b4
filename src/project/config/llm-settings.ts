import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { LLM_PROVIDERS, type LlmProvider } from './config-words.ts';
import { optionalKey } from '../../base/optional.ts';

/** How a language model is asked about rules, defaults filled in. */
export type LlmSettings = Readonly<ReturnType<typeof toLlm>>;

const who = lazy(() => ({
  provider: optionalKey(
    z.enum(LLM_PROVIDERS),
    'The provider that `andon check --llm` asks: anthropic, openai, openai-compatible (any server that speaks its protocol) or ollama. Default: anthropic.',
  ),
  model: optionalKey(
    z.string().min(1).max(200),
    'The model that is asked; other providers than anthropic have their own. Default: claude-haiku-4-5.',
  ),
}));
const howMuch = lazy(() => ({
  concurrency: optionalKey(z.int().min(1).max(32), 'How many questions may be under way at once. Default: 4.'),
  max_tokens: optionalKey(
    z.int().min(1).max(100_000_000),
    'The most tokens of one run; what would go beyond is not asked and stays undecided. Default: 200000.',
  ),
}));

/** A repository's settings of the language model: no server, no key, and only lower limits. */
export const projectLlmSchema = lazy(() => z.strictObject({ ...who(), ...howMuch() }));

/** The user's settings; a provider set here is used whatever a repository says. */
export const userLlmSchema = lazy(() =>
  z.strictObject({
    agent: optionalKey(
      z.string().min(1).max(64),
      'The agent that answers about rules, in place of a provider: `claude`, `ollama`, or any other driver of `agents`. `--llm`, the line and MCP ask it. Default: none.',
    ),
    ...who(),
    base_url: optionalKey(z.url({ protocol: /^https?$/ }), 'The address of the server, up to and with `/v1`.'),
    key_env: optionalKey(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable, not the key'),
      'The name of the variable that holds the key. Default: ANTHROPIC_API_KEY or OPENAI_API_KEY.',
    ),
    ...howMuch(),
    usd_per_million: optionalKey(
      z.strictObject({ input: z.number().min(0), output: z.number().min(0) }),
      "The model's prices per million tokens; andon keeps no list of prices.",
    ),
    weights: optionalKey(
      z.string().regex(/^\//, 'expected the whole path of a folder'),
      'The folder with the weights of small local models, for the strategies embedding and cross_encoder: all-MiniLM-L6-v2, ms-marco-MiniLM-L-6-v2, nli-deberta-v3-base. Default: none.',
    ),
    timeout_seconds: optionalKey(
      z.number().positive().max(3600),
      'How long one answer may take. Default: 60; of an agent 300.',
    ),
  }),
);

/** The sources of settings; the first one with a provider decides. */
interface WrittenLlm {
  readonly user: z.infer<ReturnType<typeof userLlmSchema>> | undefined;
  readonly project: z.infer<ReturnType<typeof projectLlmSchema>> | undefined;
  readonly rulebound: Spoken;
}

/**
 * Merges the settings: the user's provider wins, a project's counts where the user names none, and the lower limit
 * applies. The user's server, key and prices are for the provider and the model that the user named, or the standard
 * ones: a project that names another provider does not get the key, and another model is unpriced.
 */
export function toLlm({ user, project, rulebound }: WrittenLlm) {
  const agent = user?.agent;
  const from = [user, project, rulebound].find((one) => one?.provider !== undefined);
  const provider = from?.provider ?? STANDARD;
  const model = agent === undefined ? modelFor(provider, from, [user, project, rulebound]) : user?.model;
  const usersProvider = user?.provider ?? STANDARD;
  const isUsersProvider = agent !== undefined || provider === usersProvider;
  const isUsersModel = agent !== undefined || (isUsersProvider && model === (user?.model ?? DEFAULT_MODELS[provider]));
  return {
    /** The driver that answers in place of the provider. */
    agent,
    provider,
    /** Undefined where a provider has no default model. */
    model,
    baseUrl: isUsersProvider ? user?.base_url : undefined,
    /** The variable that holds the key; never the key itself. */
    keyEnv: isUsersProvider ? user?.key_env : undefined,
    concurrency: lower(user?.concurrency, project?.concurrency) ?? 4,
    /** Of one run, questions and answers together. */
    maxTokens: lower(user?.max_tokens, project?.max_tokens) ?? 200_000,
    usdPerMillion: isUsersModel ? user?.usd_per_million : undefined,
    timeoutMs: (user?.timeout_seconds ?? (agent === undefined ? 60 : 300)) * 1000,
    /** The folder with weights of small local models. */
    weights: user?.weights,
  };
}

/** The settings when the environment names another provider: only the keys of that provider still apply. */
export function withProvider(settings: LlmSettings, named: LlmProvider): LlmSettings {
  if (named === settings.provider && settings.agent === undefined) return settings;
  return {
    ...settings,
    agent: undefined,
    provider: named,
    model: DEFAULT_MODELS[named],
    baseUrl: undefined,
    keyEnv: undefined,
    usdPerMillion: undefined,
  };
}

const STANDARD: LlmProvider = 'anthropic';

/** Small models that follow a schema; set `model` to use another one. */
const DEFAULT_MODELS: Readonly<Record<LlmProvider, string | undefined>> = {
  anthropic: 'claude-haiku-4-5',
  openai: 'gpt-4.1-mini',
  'openai-compatible': undefined,
  ollama: 'qwen2.5-coder',
};

type Spoken = Pick<z.infer<ReturnType<typeof projectLlmSchema>>, 'provider' | 'model'>;

/** A model belongs to the provider beside which it is written; one without a provider belongs to the one in use. */
function modelFor(
  provider: LlmProvider,
  from: Spoken | undefined,
  all: readonly (Spoken | undefined)[],
): string | undefined {
  const beside = from?.model ?? all.find((one) => one?.model !== undefined && one.provider === undefined)?.model;
  return beside ?? DEFAULT_MODELS[provider];
}

const lower = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
