import { parseJsonObject } from '../../base/json-object.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { findForbiddenContent } from './proxy-content.ts';
import { pinModel, type ProxyRefusal, type PinnedModel, type Protocol } from './proxy-routes.ts';

/** An outgoing request. */
export interface ForwardedRequest {
  readonly bytes: Buffer;
  /** The request's own limit of tokens in the answer; undefined where it sets none. */
  readonly mostOut: number | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * The outgoing body, rebuilt from the keys that its protocol knows, always with the pinned model. Other keys do not
 * reach the service: a second model, a fallback, a faster and dearer mode.
 */
export function rebuildBody(
  bytes: Buffer,
  protocol: Protocol,
  pin: PinnedModel,
): Outcome<ForwardedRequest, ProxyRefusal> {
  try {
    const body = parseJsonObject<Record<string, unknown>>(bytes.toString('utf8'), []);
    if (body === undefined || Array.isArray(body)) return refuse('the body is not a JSON object');
    const why = findForbiddenContent(protocol, body);
    if (why !== undefined) return refuse(why);
    const written: Record<string, unknown> = {};
    if (!IN_PATH.has(protocol)) {
      const model = pinModel(typeof body['model'] === 'string' ? body['model'] : '', pin);
      if (!model.ok) return refuse(model.why);
      written['model'] = model.value;
    }
    for (const key of KEYS[protocol]) if (Object.hasOwn(body, key)) written[key] = body[key];
    if ('store' in written) written['store'] = false; // the account stores no call
    // A stream of chat completions reports its usage only on request.
    if (written['stream'] === true && protocol === 'chat')
      written['stream_options'] = { ...objectAt(written, 'stream_options'), include_usage: true };
    return success({ bytes: Buffer.from(JSON.stringify(written)), mostOut: mostOutOf(protocol, written) });
  } catch (error) {
    // Deeply nested brackets cannot be serialised.
    if (error instanceof RangeError) return refuse('the body is nested too deeply');
    throw error;
  }
}

const refuse = (why: string): Outcome<never, ProxyRefusal> => failure({ status: 400, why });

/** Protocols whose model is named in the path, and pinned there. */
const IN_PATH: ReadonlySet<Protocol> = new Set(['google', 'google-count']);

const SAMPLING = ['temperature', 'top_p', 'top_k', 'min_p', 'stop', 'seed', 'logprobs', 'logit_bias'];
const PENALTIES = ['presence_penalty', 'frequency_penalty', 'repetition_penalty'];
const CALLS = ['tools', 'tool_choice', 'parallel_tool_calls'];
const STREAM = ['stream', 'stream_options'];
const NAMES = ['user', 'metadata', 'store', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'];
const THINKING = [
  'reasoning_effort',
  'reasoning',
  'include_reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
];

const MESSAGES = ['messages', 'system', ...CALLS, 'thinking', 'output_config', 'output_format', 'context_management'];

/** The keys of a body, by protocol; `model` is inserted. No service tier, fallback or second list of models. */
const KEYS: Readonly<Record<Protocol, readonly string[]>> = {
  chat: [
    ...'messages functions function_call max_tokens max_completion_tokens response_format'.split(' '),
    ...'top_logprobs verbosity prediction chat_template_kwargs'.split(' '),
    ...CALLS,
    ...STREAM,
    ...SAMPLING,
    ...PENALTIES,
    ...NAMES,
    ...THINKING,
  ],
  responses: [
    ...'input instructions text include max_output_tokens max_tool_calls truncation'.split(' '),
    ...'reasoning temperature top_p top_logprobs client_metadata'.split(' '),
    ...CALLS,
    ...STREAM,
    ...NAMES,
  ],
  messages: [
    ...MESSAGES,
    ...'max_tokens stream stop_sequences temperature top_p top_k metadata'.split(' '),
    ...'cache_control'.split(' '),
  ],
  count: MESSAGES,
  google: [
    ...'contents systemInstruction tools toolConfig generationConfig safetySettings'.split(' '),
    ...'system_instruction tool_config generation_config safety_settings'.split(' '),
  ],
  'google-count': ['contents'],
};

/** The most tokens of all answers to a request; undefined where a figure is missing or invalid. */
function mostOutOf(protocol: Protocol, body: Body): number | undefined {
  const google = objectAt(body, 'generationConfig') ?? objectAt(body, 'generation_config') ?? {};
  const most = {
    chat: () => largest(body['max_tokens'], body['max_completion_tokens']),
    responses: () => largest(body['max_output_tokens']),
    messages: () => largest(body['max_tokens']),
    count: () => 0,
    google: () => largest(google['maxOutputTokens'], google['max_output_tokens']),
    'google-count': () => 0,
  }[protocol]();
  const times = largest(1, google['candidateCount'], google['candidate_count']);
  return most === undefined ? undefined : most * (times ?? 1);
}

function largest(...figures: readonly unknown[]): number | undefined {
  const known = figures.filter((one): one is number => typeof one === 'number' && Number.isSafeInteger(one) && one > 0);
  return known.length === 0 ? undefined : Math.max(...known);
}

function objectAt(body: Body, key: string): Body | undefined {
  const value = body[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
}
