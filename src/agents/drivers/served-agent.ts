import { request as requestHttp, validateHeaderValue, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { estimateTokens, computePromptRoom } from '../../base/estimate-tokens.ts';
import type { ServerDriver } from '../../project/config/server-driver.ts';
import type { Agent, AgentCall, FailureReason, AgentUsage, ShowOutput } from '../agent.ts';
import type { Clock } from '../../base/clock.ts';
import { createFailure, failCall, NO_USAGE } from './agent-program.ts';
import { readDriverUsage } from './driver-outcome.ts';
import { NOTHING_COUNTED, getOwnValue } from './event-rules.ts';
import { machineTime, parseResetTime } from './reset-time.ts';
import { detectTruncation } from './ollama-output.ts';
import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { createLineReader, type StreamProgress } from './line-reader.ts';

const QUESTION_MS = 5000;

/** Limit of an answer to a question, or of an error. */
const MOST_ASKED = 1_000_000;

/** A server that speaks OpenAI's protocol: asked over HTTP, in one stream, after its window was verified. */
export function createServedAgent(
  driver: ServerDriver,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Agent {
  const { name, url } = driver;
  const key = driver.keyEnv === undefined ? undefined : env[driver.keyEnv]?.trim();
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const isSendable = canSend(headers);
  const ask = async (path: string, base = new URL(url).origin): Promise<unknown> => {
    try {
      const signal = AbortSignal.timeout(QUESTION_MS);
      const response = await fetch(`${base}${path}`, { headers, redirect: 'error', signal });
      return response.ok && response.body !== null ? JSON.parse((await textOf(response.body)).trim()) : undefined;
    } catch {
      return undefined;
    }
  };
  const windowOf = async (model: string): Promise<number | undefined> =>
    driver.window ?? (await readServerWindow(ask, model));
  return {
    id: name,
    capabilities: {
      billing: driver.billing,
      takesBudget: false,
      hasWindow: driver.window !== undefined,
      prices: driver.prices,
    },
    worksAt: ['implementer', 'local-reviewer'],
    windowOf: (model) => windowOf(model || (driver.model ?? '')),
    async run(call) {
      const began = performance.now();
      const ended = (): { readonly ms: number; readonly exit: null } => ({
        ms: Math.round(performance.now() - began),
        exit: null,
      });
      const model = call.model || (driver.model ?? '');
      if (model === '') return failCall('refused', `${name} needs a model; name it in the profile`, ended());
      if (!isSendable) return failCall('refused', `${name} ${UNSENDABLE}`, ended());
      const window = await windowOf(model);
      const estimate = estimateTokens(call.prompt);
      if (window !== undefined && estimate > computePromptRoom(window))
        return failCall(
          'too-long',
          `the prompt (about ${estimate} tokens) does not fit the window of ${window} tokens`,
          ended(),
        );
      const { story, why, wasAsked } = await stream(
        `${url}/chat/completions`,
        headers,
        bodyOf(call, model),
        call,
        clock,
      );
      const { tokensIn, tokensOut } = why === undefined ? story : NOTHING_COUNTED;
      const usage = wasAsked ? readDriverUsage(driver, { ...NOTHING_COUNTED, tokensIn, tokensOut }) : NO_USAGE;
      const answer = why === undefined ? checkStory(story, window) : failure(why);
      if (answer.ok) return success({ text: answer.value, answeredBy: model, ...usage, ...ended() });
      const { kind, detail, until } = answer.why;
      const guess = { ...NOTHING_COUNTED, tokensIn: estimate, tokensOut: estimateTokens(story.text) };
      return failure({
        ...createFailure(kind, `${name} ${detail}`, ended()),
        ...usage,
        estimate: readDriverUsage(driver, guess),
        until,
      });
    },
    async probe(model): Promise<Outcome<string, string>> {
      if (!isSendable) return failure(`${name} ${UNSENDABLE}`);
      const list = await ask('/models', url);
      if (list === undefined)
        return failure(
          `${name} does not answer at ${url}/models; start the server, or correct agents.${name}.server.url`,
        );
      const wanted = model || (driver.model ?? '');
      const window = await windowOf(wanted);
      return success(
        `${name} answers at ${url}${wanted === '' ? '' : `, model ${toTerminalLine(wanted, 60)}`}, ${window === undefined ? 'window not told: set agents.' + name + '.server.window' : `window ${window} (${driver.window === undefined ? 'as the server tells' : 'as configured'})`}`,
      );
    },
  };
}

const bodyOf = ({ prompt, schema }: AgentCall, model: string): string =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: prompt }],
    temperature: 0,
    stream: true,
    stream_options: { include_usage: true },
    ...(schema === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } }),
  });

/** How a request ended, what of the answer came, and whether the model may have worked on it. */
interface ChatEnd {
  readonly why?: FailureReason;
  readonly story: ChatStory;
  readonly wasAsked: boolean;
}

/**
 * One request. Whatever comes first ends it: its end, the signal, silence, the hard limit, too much output. Not by
 * `fetch`, which gives up after five minutes without a byte: a large prompt may take a CPU longer.
 */
async function stream(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { signal, idleMs, hardMs, show }: AgentCall,
  clock: Clock,
): Promise<ChatEnd> {
  const stop = new AbortController();
  let cause: FailureReason | undefined;
  const end = (why: FailureReason): void => {
    cause ??= why;
    stop.abort();
  };
  const seconds = (ms: number): number => Math.round(ms / 1000);
  const idle = clock.awake(idleMs, () => end({ kind: 'stall', detail: `was silent for ${seconds(idleMs)} s` }));
  const hard = clock.awake(hardMs, () => end({ kind: 'stall', detail: `was still at it after ${seconds(hardMs)} s` }));
  const aborted = (): void => end({ kind: 'aborted', detail: 'ended by andon' });
  if (signal.aborted) aborted();
  signal.addEventListener('abort', aborted, { once: true });
  const output = followChatStream(show);
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const length = { 'content-length': Buffer.byteLength(body) };
  let request: ClientRequest | undefined;
  try {
    const sent = send(url, { method: 'POST', headers: { ...headers, ...length }, signal: stop.signal });
    request = sent;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    const { statusCode: status = 0, headers: answered } = response;
    if (status < 200 || status > 299) {
      const why = explainStatus(status, answered['retry-after'], await textOf(response));
      return { why: cause ?? why, story: output.story(), wasAsked: false };
    }
    for await (const bytes of response as AsyncIterable<Uint8Array>) {
      const sign = output.follow(bytes);
      if (sign === 'too much') end({ kind: 'unreadable', detail: 'answered more than andon reads' });
      if (sign === 'life') idle.touch();
    }
    return { ...(cause === undefined ? {} : { why: cause }), story: output.story(), wasAsked: true };
  } catch (error) {
    const story = output.story();
    return { why: cause ?? explainBrokenStream(error, story), story, wasAsked: request?.writableFinished === true };
  } finally {
    idle.stop();
    hard.stop();
    signal.removeEventListener('abort', aborted);
    stop.abort();
  }
}

const UNSENDABLE =
  'cannot be asked: its key holds a character that no header may hold; correct the variable in server.key_env';

/** Node.js makes no request with a header that holds other characters than HTTP allows. */
function canSend(headers: Readonly<Record<string, string>>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** An unreachable or disconnecting server is waited for. */
function explainBrokenStream(error: unknown, { text }: ChatStory): FailureReason {
  const { message, code } = error as NodeJS.ErrnoException;
  const words = message || (code ?? ''); // several refused addresses have only a code
  const when = text === '' ? 'cannot be reached' : 'broke off in the middle of its answer';
  return { kind: 'unavailable', detail: `${when}: ${toTerminalLine(words, 200)}` };
}

function explainStatus(status: number, retryAfter: string | undefined, body: string): FailureReason {
  const words = toTerminalLine(body, 300);
  const detail = `answered ${status}: ${words}`;
  if (/context (?:length|size|window)|exceed_context|maximum context|too many tokens/i.test(body) && status < 500)
    return { kind: 'too-long', detail };
  if (status < 400 || status === 408 || status === 429 || status >= 500)
    return {
      kind: 'unavailable',
      detail,
      until: parseResetTime(retryAfter === undefined ? body : `retry-after: ${retryAfter}`, machineTime()),
    };
  const todo = status === 401 || status === 403 ? '; name the variable that holds its key as server.key_env' : '';
  return { kind: 'refused', detail: `${detail}${todo}` };
}

/** The answer of a complete stream; it counts only if the model ended it and the prompt was not cut. */
function checkStory(
  { text, finished, error, tokensIn, isUtf8 }: ChatStory,
  window: number | undefined,
): Outcome<string, FailureReason> {
  const fail = (kind: FailureReason['kind'], detail: string): Outcome<never, FailureReason> =>
    failure({ kind, detail });
  if (!isUtf8) return fail('unreadable', 'answered with what is not valid UTF-8');
  if (error !== undefined) return fail('crash', `broke down: ${toTerminalLine(error, 300)}`);
  if (finished === undefined) return fail('crash', 'ended its stream without an end of the answer');
  if (finished === 'length') return fail('too-long', 'had no room left for the whole answer');
  if (window !== undefined && tokensIn !== null && detectTruncation(tokensIn, window))
    return fail('too-long', `cut the prompt to ${tokensIn} tokens (window ${window})`);
  if (text.trim() === '') return fail('empty', 'answered nothing');
  return finished === 'stop' ? success(text) : fail('crash', `ended with ${toTerminalLine(finished, 40)}`);
}

async function textOf(response: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MOST_ASKED) break;
  }
  return text;
}

/** How each kind of server reports the allocated tokens of a model. */
const PLACES: readonly { readonly path: string; readonly read: (body: unknown, model: string) => unknown }[] = [
  // llama.cpp: the size of one slot.
  { path: '/props', read: (body) => getOwnValue(getOwnValue(body, 'default_generation_settings'), 'n_ctx') },
  // LM Studio: the loaded context, not the possible one.
  {
    path: '/api/v0/models',
    read: (body, model) => getOwnValue(findNamed(getOwnValue(body, 'data'), 'id', model), 'loaded_context_length'),
  },
  // ollama: the loaded context.
  {
    path: '/api/ps',
    read: (body, model) => getOwnValue(findNamed(getOwnValue(body, 'models'), 'name', model), 'context_length'),
  },
  // vLLM.
  {
    path: '/v1/models',
    read: (body, model) => getOwnValue(findNamed(getOwnValue(body, 'data'), 'id', model), 'max_model_len'),
  },
];

/** Asks a server at its own address for the body of a path; undefined on failure. */
type AskServer = (path: string) => Promise<unknown>;

/** The tokens that a server has allocated for a model, by its own report. */
async function readServerWindow(ask: AskServer, model: string): Promise<number | undefined> {
  for (const { path, read } of PLACES) {
    const found = read(await ask(path), model);
    if (typeof found === 'number' && Number.isInteger(found) && found > 0) return found;
  }
  return undefined;
}

/** The entry of this name, with or without `:latest`. */
const findNamed = (list: unknown, key: string, name: string): unknown =>
  Array.isArray(list)
    ? list.find((one) => [name, `${name}:latest`].includes(String(getOwnValue(one, key))))
    : undefined;

/** Limit of bytes of an answer. */
const MOST = 16 * 1024 * 1024;

/** The answer streamed so far. */
interface ChatStory extends Pick<AgentUsage, 'tokensIn' | 'tokensOut'> {
  readonly text: string;
  /** The server's reason for the end; undefined while it streams. */
  readonly finished: string | undefined;
  /** An error in the middle of the stream. */
  readonly error: string | undefined;
  readonly isUtf8: boolean;
}

/** Parses a streamed chat completion (`data:` lines), in pieces of any size; `show` sees them as they come. */
export function followChatStream(show?: ShowOutput) {
  let story: ChatStory = {
    text: '',
    finished: undefined,
    tokensIn: null,
    tokensOut: null,
    error: undefined,
    isUtf8: true,
  };
  let total = 0;
  const lines = createLineReader((bytes) => {
    const line = decodeUtf8(bytes);
    if (line === undefined) story = { ...story, isUtf8: false };
    const event = line?.startsWith('data:') ? parseJsonObject<Event>(line.slice('data:'.length).trim(), []) : undefined;
    if (event === undefined) return 'no life';
    const { choices, usage, error } = event;
    const [choice] = Array.isArray(choices) ? choices : [];
    const { content, reasoning_content: thought } = choice?.delta ?? {};
    const finished: unknown = choice?.finish_reason;
    if (typeof thought === 'string') show?.({ kind: 'thought', text: thought });
    if (typeof content === 'string') show?.({ kind: 'text', text: content });
    story = {
      isUtf8: story.isUtf8,
      text: typeof content === 'string' ? `${story.text}${content}` : story.text,
      finished: typeof finished === 'string' ? finished : story.finished,
      tokensIn: usage?.prompt_tokens ?? story.tokensIn,
      tokensOut: usage?.completion_tokens ?? story.tokensOut,
      error: error === undefined || error === null ? story.error : JSON.stringify(error).slice(0, 500),
    };
    return error === undefined ? 'life' : 'no life';
  });
  return {
    /** Takes the next bytes; comments that only keep the connection open are no sign of life. */
    follow(bytes: Uint8Array): StreamProgress {
      total += bytes.length;
      return total > MOST ? 'too much' : lines.follow(bytes);
    },
    story(): ChatStory {
      lines.end();
      return story;
    },
  };
}

/** The used parts of a chunk; servers omit any of them. */
interface Event {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: unknown;
}
