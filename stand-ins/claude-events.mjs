// The objects that claude prints: the events of a run and the result at its end, with their keys in no particular order.

const MODELS = {
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
  fable: 'claude-fable-5-2',
};
const DEFAULT_MODEL = 'claude-opus-5-5';
/** Prices of the sample run: 1200 tokens in and 42 out cost 0.00564 dollars. */
const USD_PER_TOKEN_IN = 4e-6;
const USD_PER_TOKEN_OUT = 20e-6;

/** A random UUID (version 4). `node:crypto` takes a fifth of this program's start, and nothing here is a secret. */
export function randomUuid() {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(Math.random() * 16).toString(16));
}

/** The full name behind an alias; unknown names are sent as they are. */
export function modelName(given = DEFAULT_MODEL) {
  return Object.hasOwn(MODELS, given) ? MODELS[given] : given;
}

/** True for names that the program has no price for: it warns on stderr and sends them all the same. */
export function isUnknownModel(name) {
  return !name.startsWith('claude-');
}

/**
 * @typedef {{in: number, out: number, usd: number}} Spent
 * @param {{in?: number, out?: number, usd?: number}} given
 * @param {{in: number, out: number}} estimated
 * @returns {Spent}
 */
export function spentOn(given, estimated) {
  const spent = { in: given.in ?? estimated.in, out: given.out ?? estimated.out };
  return { ...spent, usd: given.usd ?? spent.in * USD_PER_TOKEN_IN + spent.out * USD_PER_TOKEN_OUT };
}

/**
 * Makes the builders of one run's events; all carry the same session id.
 * @param {{sessionId: string, model: string, given: Record<string, any>}} run
 */
export function eventsOf({ sessionId, model, given }) {
  const started = Date.now();
  const event = (fields) => shuffled({ ...fields, session_id: sessionId, uuid: randomUuid() });
  const system = (subtype, fields) => event({ type: 'system', subtype, ...fields });
  const message = (content, { stop = null, tokens = 1, spent, by = model }) =>
    event({
      type: 'assistant',
      parent_tool_use_id: null,
      message: shuffled({
        id: `msg_${randomUuid().replaceAll('-', '').slice(0, 24)}`,
        type: 'message',
        role: 'assistant',
        model: by,
        content: [content],
        stop_reason: stop,
        stop_sequence: null,
        usage: usageOf({ in: spent.in, out: tokens }),
      }),
    });

  return {
    init: () =>
      system('init', {
        cwd: process.cwd(),
        model,
        tools: toolsOf(given),
        mcp_servers: [],
        permissionMode: given['--permission-mode'] ?? 'default',
        slash_commands: [],
        apiKeySource: 'none',
        claude_code_version: '2.1.330',
        output_style: 'default',
        agents: [],
        skills: [],
        plugins: [],
      }),
    /** A piece of a text, with --include-partial-messages. */
    textDelta: (text) =>
      event({
        type: 'stream_event',
        parent_tool_use_id: null,
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      }),
    text: (text, spent) => message({ type: 'text', text }, { spent }),
    /** What claude says itself in place of a model. */
    own: (text) => message({ type: 'text', text }, { spent: { in: 0, out: 0 }, tokens: 0, by: '<synthetic>' }),
    toolUse: (name, input, spent, id = toolUseId()) => message({ type: 'tool_use', id, name, input }, { spent }),
    toolResult: (id, content, failed = false) =>
      event({
        type: 'user',
        parent_tool_use_id: null,
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) }],
        },
      }),
    retry: ({ attempt, most, delay, status, error }) =>
      system('api_retry', { attempt, max_retries: most, retry_delay_ms: delay, error_status: status, error }),
    permissionDenied: (denial) =>
      system('permission_denied', {
        ...denial,
        message: "Claude requested permissions, but you haven't granted it yet.",
      }),
    rateLimit: (resetsAt, status = 'rejected') =>
      event({
        type: 'rate_limit_event',
        rate_limit_info: {
          status,
          rateLimitType: 'five_hour',
          isUsingOverage: false,
          ...(resetsAt ? { resetsAt } : {}),
        },
      }),
    /** @param {{spent: Spent, total?: Spent, [field: string]: unknown}} outcome `total` is cumulative, `spent` is of this turn */
    result: ({ spent, total = spent, ...fields }) =>
      event({
        type: 'result',
        subtype: 'success',
        is_error: false,
        api_error_status: null,
        num_turns: 1,
        stop_reason: 'end_turn',
        terminal_reason: 'completed',
        permission_denials: [],
        result_index: 0,
        queued_turn_count: 0,
        safety_stops: 0,
        fast_mode_state: 'off',
        fast_mode_disabled_reason: 'sdk_opt_in_required',
        duration_ms: Date.now() - started,
        duration_api_ms: Date.now() - started,
        ttft_ms: 216,
        ttft_stream_ms: 215,
        time_to_request_ms: 190,
        first_content_frame_ms: 215,
        total_cost_usd: total.usd,
        usage: usageOf(spent),
        modelUsage: { [model]: modelUsageOf(model, total) },
        ...fields,
      }),
  };
}

/** An id as the tool calls carry it. */
export function toolUseId() {
  return `toolu_${randomUuid().replaceAll('-', '').slice(0, 24)}`;
}

/** The same fields in another order each time, so that nobody relies on an order. */
function shuffled(fields) {
  return Object.fromEntries(
    Object.entries(fields)
      .map((entry) => ({ entry, at: Math.random() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ entry }) => entry),
  );
}

function toolsOf(given) {
  const named = given['--tools']?.flatMap((list) => list.split(/[\s,]+/)).filter(Boolean);
  const tools =
    named ?? (given['--bare'] ? ['Bash', 'Edit', 'Read'] : ['Agent', 'Bash', 'Edit', 'Read', 'Skill', 'Write']);
  return given['--json-schema'] === undefined ? tools : [...tools, 'StructuredOutput'];
}

function usageOf({ in: input, out }) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: out,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    inference_geo: '',
    iterations: [],
    speed: 'standard',
    fallback_credit: null,
  };
}

function modelUsageOf(model, { in: input, out, usd }) {
  return {
    inputTokens: input,
    outputTokens: out,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: usd,
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    thinkingTokens: 0,
    cacheCreationEphemeral5mInputTokens: 0,
    cacheCreationEphemeral1hInputTokens: 0,
    canonicalModel: model,
    provider: 'firstParty',
    costBasis: isUnknownModel(model) ? 'unknown' : 'list',
  };
}
