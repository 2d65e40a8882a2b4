import type { Protocol } from './proxy-routes.ts';

/** Why a body is refused: part of it would make the service do more than answer. Undefined where nothing would. */
export function findForbiddenContent(protocol: Protocol, body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(body)) {
    const isActing = ACTING_KEYS.has(plain(key)) || (protocol === 'responses' && plain(key) === 'prompt');
    if (isActing && !isNothing(value)) return `\`${shown(key)}\` has the service do more than answer`;
  }
  for (const why of toolsIn(protocol, body['tools'])) return why;
  for (const key of CONTENTS[protocol]) for (const why of contentIn(protocol, body[key], key, 0)) return why;
  return undefined;
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

/** Keys that make a service search, connect or look up; matched without regard to case and `_`. */
const ACTING_KEYS = new Set([
  ...'mcpservers container websearchoptions searchparameters searchoptions enablesearch plugins'.split(' '),
  ...'previousresponseid conversation cachedcontent'.split(' '),
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
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
