import type { LlmSettings } from '../../project/config/llm-settings.ts';
import type { LlmProvider } from '../../project/config/config-words.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { LanguageModel, ModelAnswer, ModelFailure } from '../language-model.ts';
import { findPackage, loadPackage, type PackageSource } from './load-package.ts';
import { toTerminalLine } from '../../base/plain-text.ts';

/** Why a model cannot be used: a sentence and a remedy. */
interface NoModel {
  readonly sentence: string;
  readonly remedy: string;
}

/** Opens the configured model, by the AI SDK in the version that the user installed. */
export async function openVercelModel(
  settings: LlmSettings,
  { env, projectRoot, whyNotLoaded }: PackageSource & { readonly env: NodeJS.ProcessEnv },
): Promise<Outcome<LanguageModel, NoModel>> {
  const { provider, model } = settings;
  const family = FAMILIES[provider];
  const names = ['ai', family.package];
  const found = names.map((name) => findPackage(name, projectRoot));
  const missing = names.filter((_, at) => found[at] === undefined);
  if (missing.length > 0)
    return failure({
      sentence: `--llm needs packages that are not installed: ${missing.join(', ')}`,
      remedy: `npm install ${names.join(' ')}, or leave --llm out`,
    });
  const there = found.filter((one) => one !== undefined);
  for (const one of there) {
    const why = await whyNotLoaded(one);
    if (why !== undefined)
      return failure({ sentence: why, remedy: `npm install --global ${names.join(' ')}, or leave --llm out` });
  }
  const key = readKey(settings, env);
  if (!key.ok) return key;
  const baseUrl = settings.baseUrl ?? family.baseUrl;
  if (model === undefined || (provider === 'openai-compatible' && baseUrl === undefined))
    return failure({
      sentence: `the provider ${provider} needs ${model === undefined ? 'llm.model' : 'llm.base_url'}`,
      remedy: 'write it into your own configuration',
    });
  const [sdk, provided] = await Promise.all(there.map(loadPackage));
  const create = provided?.[family.create];
  if (sdk === undefined || typeof create !== 'function')
    return failure({
      sentence: `${family.package} is installed in a version that andon does not know`,
      remedy: `npm install ${names.join('@latest ')}@latest`,
    });
  const made = (create as CreateProvider)({
    name: provider,
    ...(key.value === undefined ? {} : { apiKey: key.value }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    supportsStructuredOutputs: true,
  });
  return success(createModel(sdk as unknown as Sdk, made(model), `${provider} ${model}`, key.value));
}

interface Family {
  readonly package: string;
  readonly create: string;
  readonly keyEnv: string | undefined;
  readonly baseUrl?: string;
}

const FAMILIES: Readonly<Record<LlmProvider, Family>> = {
  anthropic: { package: '@ai-sdk/anthropic', create: 'createAnthropic', keyEnv: 'ANTHROPIC_API_KEY' },
  openai: { package: '@ai-sdk/openai', create: 'createOpenAI', keyEnv: 'OPENAI_API_KEY' },
  'openai-compatible': { package: '@ai-sdk/openai-compatible', create: 'createOpenAICompatible', keyEnv: undefined },
  ollama: {
    package: '@ai-sdk/openai-compatible',
    create: 'createOpenAICompatible',
    keyEnv: undefined,
    baseUrl: 'http://127.0.0.1:11434/v1',
  },
};

type CreateProvider = (options: Readonly<Record<string, unknown>>) => (model: string) => object;

/** The part of the SDK that andon uses; version 6 makes objects by `generateText`, older ones by `generateObject`. */
interface Sdk {
  readonly jsonSchema: (schema: object) => object;
  readonly generateText: (options: object) => Promise<Generated & { readonly output: unknown }>;
  readonly generateObject: (options: object) => Promise<Generated & { readonly object: unknown }>;
  readonly Output: { readonly object: (options: object) => object; readonly choice?: unknown };
}

interface Generated {
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** The key, where the provider needs one; a server of the user's own may need none. */
function readKey({ provider, keyEnv }: LlmSettings, env: NodeJS.ProcessEnv): Outcome<string | undefined, NoModel> {
  const name = keyEnv ?? FAMILIES[provider].keyEnv;
  if (name === undefined) return success(undefined);
  const key = env[name];
  if (key !== undefined && key !== '') return success(key);
  return failure({
    sentence: `--llm asks ${provider}, and ${name} is not set`,
    remedy: `export ${name}, or name another provider: ANDON_LLM_PROVIDER=ollama`,
  });
}

function createModel(sdk: Sdk, model: object, name: string, key: string | undefined): LanguageModel {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false }); // it would print into reports
  return {
    name,
    async ask({ system, prompt, schema, maxAnswerTokens, signal }) {
      // An object: a bare string would go to the vendor's own gateway.
      const options = { model, system, prompt, temperature: 0, maxRetries: 0, abortSignal: signal };
      const limit = { maxOutputTokens: maxAnswerTokens, maxTokens: maxAnswerTokens };
      const shape = sdk.jsonSchema(schema);
      try {
        const isNew = sdk.Output.choice !== undefined;
        const answer = isNew
          ? await sdk.generateText({ ...options, ...limit, output: sdk.Output.object({ schema: shape }) })
          : await sdk.generateObject({ ...options, ...limit, schema: shape });
        const value = 'output' in answer ? answer.output : answer.object;
        return success({ value, ...readTokens(answer.usage), usd: null });
      } catch (error) {
        return failure(classifyModelError(error, signal, key));
      }
    },
  };
}

/** Version 4 counts prompt and completion, later ones input and output. */
function readTokens(usage: Generated['usage'] = {}): Pick<ModelAnswer, 'tokensIn' | 'tokensOut'> {
  const figure = (...names: readonly string[]): number | null => {
    const found = names.map((name) => usage[name]).find((one) => typeof one === 'number' && Number.isFinite(one));
    return typeof found === 'number' ? found : null;
  };
  return {
    tokensIn: figure('inputTokens', 'promptTokens'),
    tokensOut: figure('outputTokens', 'completionTokens'),
  };
}

/** The meaning of an SDK error, without any text that could hold the key. */
function classifyModelError(error: unknown, signal: AbortSignal, key: string | undefined): ModelFailure {
  if (signal.aborted) return { kind: 'stopped', detail: 'it was stopped' };
  const { name, statusCode, responseHeaders, message } = error as SdkError;
  if (typeof statusCode === 'number') return classifyStatus(statusCode, responseHeaders, toPrintable(message, key));
  if (UNREADABLE.test(name ?? ''))
    return { kind: 'unreadable', detail: 'the answer is not of the shape that was asked for' };
  if (error instanceof TypeError && !/fetch|network/i.test(message ?? ''))
    return { kind: 'refused', detail: toPrintable(message, key) };
  return { kind: 'busy', detail: `the server cannot be reached: ${toPrintable(message, key)}` };
}

/** Fields of errors in every version of the SDK; their classes differ. */
interface SdkError {
  readonly name?: string;
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly message?: string;
}

const UNREADABLE =
  /NoObjectGenerated|NoOutputGenerated|TypeValidation|JSONParse|InvalidResponseData|NoContentGenerated|EmptyResponseBody/;

function classifyStatus(status: number, headers: SdkError['responseHeaders'], message: string): ModelFailure {
  if (status === 401 || status === 403) return { kind: 'refused', detail: `the provider refuses the key (${status})` };
  if (status === 200) return { kind: 'unreadable', detail: 'the answer is not of the shape that was asked for' };
  if (status === 408 || status === 409 || status === 429 || status >= 500) {
    const wait = readRetryAfter(headers);
    return {
      kind: 'busy',
      detail:
        status === 429 ? 'the provider limits how often it may be asked (429)' : `the provider failed (${status})`,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  return { kind: 'refused', detail: `the provider refuses the question (${status}): ${message}` };
}

function readRetryAfter(headers: SdkError['responseHeaders'] = {}): number | undefined {
  const inMs = Number(headers['retry-after-ms'] ?? NaN);
  if (Number.isFinite(inMs) && inMs >= 0) return inMs;
  const written = headers['retry-after'];
  if (written === undefined) return undefined;
  const seconds = Number(written);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(written);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

const toPrintable = (message: string | undefined, key: string | undefined): string =>
  toTerminalLine(key === undefined ? (message ?? '') : (message ?? '').replaceAll(key, '***'), 160);
