type Keys = Readonly<Record<string, unknown>>;

/**
 * A tool in a request that the service would run itself (a search, a browser, code, a server of MCP), by its name; what the
 * program runs in its cage is none. A kind that is not known counts as the service's.
 */
export function findServerTool(body: Keys): string | undefined {
  for (const key of ['mcp_servers', 'web_search_options', 'plugins', 'container']) if (isGiven(body[key])) return key;
  const tools = [...listOf(body['tools']), ...listOf(body['functions']).map(() => ({ type: 'function' }))];
  for (const tool of tools) {
    if (!isObject(tool)) return 'a tool that is no object';
    const { type } = tool;
    if (typeof type === 'string') {
      if (!OWN_TYPES.test(type)) return `the tool ${type}`;
      const inner = type === 'namespace' ? findServerTool({ tools: tool['tools'] }) : undefined;
      if (inner !== undefined) return inner;
    } else {
      if (type !== undefined) return 'a tool without a kind';
      // Anthropic's own tools have a name and a schema; Google's are lists of functions, each under that one key.
      const foreign = Object.keys(tool).find((one) => !OWN_KEYS.has(one));
      if (foreign !== undefined) return `the tool ${foreign}`;
    }
  }
  return undefined;
}

/** Kinds of tools that the program runs. */
const OWN_TYPES =
  /^(?:function|custom|local_shell|apply_patch|namespace|tool_search|(?:bash|text_editor|computer|memory|tool_search_tool_(?:regex|bm25))_\d+)$/;
/** Keys of a tool without a kind. */
const OWN_KEYS: ReadonlySet<string> = new Set(
  'name description input_schema cache_control strict defer_loading input_examples eager_input_streaming allowed_callers functionDeclarations function_declarations'.split(
    ' ',
  ),
);

/** A picture, a document or a file in a request that the service would fetch or look up, by its address or number. */
export function findAddress(body: Keys): string | undefined {
  if (isGiven(body['cachedContent']) || isGiven(body['cached_content'])) return 'cached content';
  for (const key of ['messages', 'input', 'contents', 'system', 'systemInstruction', 'system_instruction']) {
    const found = addressIn(body[key], 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** So deep contents are looked through: a result of a tool in a message has parts of its own. */
const DEEPEST = 8;

function addressIn(value: unknown, depth: number): string | undefined {
  if (depth > DEEPEST) return 'content that lies too deep';
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = addressIn(one, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { type } = value;
  const isMedia = typeof type === 'string' && MEDIA.test(type);
  if (isMedia)
    for (const key of ['url', 'image_url', 'file_url', 'video_url', 'audio_url', 'file_id', 'id', 'source', 'file']) {
      const found = remote(key, value[key]);
      if (found !== undefined) return found;
    }
  if (type === 'item_reference') return 'a stored item';
  const uri = value['fileData'] ?? value['file_data'];
  if (!isMedia && isGiven(uri)) return 'fileData';
  for (const key of ['content', 'parts', 'output', 'functionResponse', 'function_response']) {
    const found = addressIn(value[key], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parts of a message that are no text. */
const MEDIA =
  /^(?:image|document|file|image_url|video_url|audio_url|input_image|input_file|input_video|input_audio|container_upload)$/;

/** Whether a key of a part names something elsewhere; what stands in the request itself is `data:` or base64. */
function remote(key: string, value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value === '' || key === 'source') return undefined;
    if (key === 'id') return undefined;
    if (key === 'file_id') return 'a stored file';
    return /^data:/i.test(value) ? undefined : `an address (${value.slice(0, 60)})`;
  }
  if (!isObject(value)) return undefined;
  if (value['type'] === 'url' || value['type'] === 'file') return `a source of type ${value['type']}`;
  for (const inner of ['url', 'file_id', 'file_url', 'image_url', 'uri']) {
    const found = remote(inner === 'uri' ? 'url' : inner, value[inner]);
    if (found !== undefined) return found;
  }
  return value['type'] === 'content' ? addressIn(value['content'], 1) : undefined;
}

const isObject = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
