import { isObject, parseJsonObject } from '../../base/json-object.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { pinModel, type ProxyRefusal, type PinnedModel, type Protocol } from './proxy-routes.ts';

/** An outgoing request. */
export interface ForwardedRequest {
  readonly bytes: Buffer;
  /** The request's own limit of tokens in the answer; undefined where it sets none that holds. */
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
    const body = parseJsonObject<Body>(bytes.toString('utf8'), []);
    if (body === undefined) return refuse('the body is not a JSON object');
    const [why] = actingIn(protocol, body);
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
  return isObject(value) ? value : undefined;
}

/** The parts of a body with which the service would do more than answer. */
function* actingIn(protocol: Protocol, body: Body): Generator<string> {
  for (const [key, value] of Object.entries(body)) {
    const isText = plain(key) === 'prompt' && protocol !== 'responses';
    if (ACTING_KEYS.has(plain(key)) && !isText && !isNothing(value))
      yield `\`${shown(key)}\` has the service do more than answer`;
  }
  yield* toolsIn(protocol, body['tools']);
  if (protocol === 'responses') yield* untypedIn(body['input']);
  for (const key of CONTENTS[protocol]) yield* contentIn(protocol, body[key], key, 0);
}

/** An item of the input without a type is a message, or else refers to an item that the service has stored. */
function* untypedIn(input: unknown): Generator<string> {
  if (typeof input === 'string') return;
  for (const item of [input ?? []].flat()) {
    const keys = keysOf(item);
    if (typeof keys?.get('type') === 'string') continue;
    const content = keys?.get('content');
    if (typeof keys?.get('role') !== 'string' || !(typeof content === 'string' || Array.isArray(content)))
      yield 'an item of `input` without a type, a role and content is more than a model reads';
  }
}

/** The keys of a body that hold the model's input. */
const CONTENTS: Readonly<Record<Protocol, readonly string[]>> = {
  chat: ['messages', 'prediction'],
  responses: ['input', 'instructions'],
  messages: ['messages', 'system'],
  count: ['messages', 'system'],
  google: ['contents', 'systemInstruction', 'system_instruction'],
  'google-count': ['contents'],
};

/** Keys that make a service search, connect or look up; as `plain` writes them. */
const ACTING_KEYS = new Set([
  ...'mcpservers container websearchoptions searchparameters searchoptions enablesearch plugins'.split(' '),
  ...'previousresponseid conversation prompt cachedcontent'.split(' '),
]);

/** Types of tools that the program runs itself, by protocol; Google identifies them by key. */
const OWN_TOOLS: Partial<Readonly<Record<Protocol, RegExp>>> = {
  chat: /^(?:function|custom)$/,
  responses: /^(?:function|custom|local_shell|apply_patch)$/,
  messages: /^(?:custom|tool_reference|(?:bash|text_editor|memory)_\d{8})$/,
  count: /^(?:custom|tool_reference|(?:bash|text_editor|memory)_\d{8})$/,
};

function* toolsIn(protocol: Protocol, tools: unknown): Generator<string> {
  if (isNothing(tools)) return;
  if (!Array.isArray(tools)) yield '`tools` is no list';
  else for (const tool of tools) yield* toolIn(protocol, tool, 0);
}

function* toolIn(protocol: Protocol, tool: unknown, depth: number): Generator<string> {
  const keys = keysOf(tool);
  if (keys === undefined || depth > 3) return yield 'a tool is not written as one';
  if (protocol.startsWith('google')) {
    for (const key of keys.keys())
      if (key !== 'functiondeclarations') yield `the tool ${shown(key)} is run by the service`;
    return undefined;
  }
  const type = keys.get('type');
  if (type === undefined && (protocol === 'messages' || protocol === 'count')) return undefined;
  if (protocol === 'responses') {
    if (type === 'namespace' && Array.isArray(keys.get('tools'))) {
      for (const one of keys.get('tools') as readonly unknown[]) yield* toolIn(protocol, one, depth + 1);
      return undefined;
    }
    if (type === 'tool_search' && keys.get('execution') === 'client') return undefined;
    if (type === 'shell' && keysOf(keys.get('environment'))?.get('type') === 'local') return undefined;
  }
  if (typeof type === 'string' && OWN_TOOLS[protocol]?.test(type)) return undefined;
  return yield `the tool ${shown(type)} is run by the service`;
}

/** Permitted types of content: text in the request itself, and results of the program's own tools. */
const OWN_TYPES = new Set([
  ...'text refusal message function custom ephemeral base64 content'.split(' '),
  ...'image document image_url video_url audio_url input_audio file search_result'.split(' '),
  ...'thinking redacted_thinking tool_use tool_result tool_reference tool_addition tool_removal'.split(' '),
  ...'reasoning.text reasoning.summary reasoning.encrypted'.split(' '),
  ...'input_text output_text input_image input_file summary_text reasoning_text reasoning'.split(' '),
  ...'function_call function_call_output custom_tool_call custom_tool_call_output'.split(' '),
  ...'local_shell_call local_shell_call_output shell_call shell_call_output exit timeout'.split(' '),
  ...'apply_patch_call apply_patch_call_output tool_search_call tool_search_output'.split(' '),
  ...'agent_message encrypted_content compaction compaction_summary compaction_trigger'.split(' '),
  'context_compaction',
]);
/** Google identifies parts by key. */
const OWN_PARTS = new Set([
  ...'text thought thoughtsignature inlinedata functioncall functionresponse videometadata'.split(' '),
  ...'mediaresolution partmetadata'.split(' '),
]);
/** Arguments and results of the program's tools, and quotes: the service reads them as text in any form. */
const OPAQUE = new Set(['arguments', 'args', 'action', 'operation', 'response', 'citations', 'annotations']);
/** Keys that refer to external content. */
const REFERENCE = /(?:ur[il]s?|fileids?|containerid|assetpointer)$/;
/** Keys that hold a file, or in some services its address. */
const DATA = new Set(['filedata', 'data', 'image', 'images', 'video', 'audio']);
const MOST_NESTED = 40;

function* contentIn(protocol: Protocol, value: unknown, under: string, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null) return yield* wordIn(value, under);
  if (depth > MOST_NESTED) return yield 'the content is nested too deeply';
  if (Array.isArray(value)) {
    for (const one of value) yield* contentIn(protocol, one, under, depth + 1);
    return undefined;
  }
  const keys = keysOf(value);
  if (keys === undefined) return yield `\`${shown(under)}\` has a key twice`;
  const type = keys.get('type');
  if (typeof type === 'string' && !OWN_TYPES.has(type))
    yield `content of the type ${shown(type)} is more than a model reads`;
  const isText = type === 'text';
  for (const [key, one] of keys) {
    if (protocol.startsWith('google') && under === 'parts' && !OWN_PARTS.has(key))
      yield `a part with \`${shown(key)}\` is more than a model reads`;
    if (key === 'tools') yield* toolsIn(protocol, one);
    else if (key === 'tool' && type !== undefined) yield* toolIn(protocol, one, 0);
    else if (OPAQUE.has(key) || (key === 'input' && type !== undefined) || (isText && key === 'data')) continue;
    else yield* contentIn(protocol, one, key, depth + 1);
  }
  return undefined;
}

/** Checks content at its key: a reference to another place is refused. */
function* wordIn(value: unknown, under: string): Generator<string> {
  if (isNothing(value)) return;
  const key = plain(under);
  const isInline = typeof value === 'string' && /^data:/i.test(value);
  const leads =
    (REFERENCE.test(key) && !isInline) ||
    (DATA.has(key) && !isInline && typeof value === 'string' && /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value));
  if (leads) yield `\`${shown(under)}\` in the content is an address or the name of a file kept elsewhere`;
}

/** Keys without case and `_`, as lenient services read them; undefined where two become equal. */
function keysOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const all = Object.entries(value);
  const keys = new Map(all.map(([key, one]) => [plain(key), one]));
  return keys.size === all.length ? keys : undefined;
}

const plain = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');
const shown = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll(/[^\w.:@ -]/g, '?').slice(0, 60) : 'without a type';
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);
