import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { KnownSecrets } from '../../base/known-secrets.ts';
import { filterResponseHeaders } from './proxy-headers.ts';
import type { ProxyState, Reservation, Unanswered } from './proxy-budget.ts';
import { parseJson } from '../../base/json-object.ts';
import {
  NOTHING_COUNTED,
  addCounts,
  addKnown,
  figureAt,
  findFirstValue,
  getOwnValue,
  type UsageCount,
} from './event-rules.ts';
import { createLineReader } from './line-reader.ts';

/** Beginning of an error that is searched for its cause. */
const MOST_OF_ERROR = 64 * 1024;

/** The facts of a request under way. */
interface PendingRequest {
  readonly idleMs: number;
  readonly requestBytes: number;
  /** Secrets to mask in an answer. */
  readonly secrets: KnownSecrets;
  readonly state: ProxyState;
  readonly reservation: Reservation;
}

/** Forwards one request: the answer is passed on as it arrives, no faster than the program reads it. */
export function forwardRequest(
  upstream: ClientRequest,
  outgoing: ServerResponse,
  { idleMs, requestBytes, secrets, state, reservation }: PendingRequest,
): void {
  let isOver = false;
  const once = (end: () => void): void => {
    if (isOver) return;
    isOver = true;
    end();
  };
  let size = requestBytes;
  let hasBegun = false;
  // A service may have worked on a request although its answer did not arrive.
  const wasAsked = (): Unanswered | undefined => (upstream.writableFinished ? { size, hasBegun } : undefined);
  const breaksOff = (error: Error): void =>
    once(() => {
      reservation.failed(0, error.message, undefined, wasAsked());
      if (outgoing.headersSent) outgoing.destroy();
      else sendError(outgoing, 502, `the service cannot be reached: ${error.message}`);
    });
  upstream.setTimeout(idleMs, () => upstream.destroy(new Error(`no byte for ${Math.round(idleMs / 1000)} s`)));
  upstream.on('error', breaksOff);
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
    once(() => reservation.left(size));
  });
  upstream.once('response', (answer) => {
    hasBegun = true;
    answer.once('error', breaksOff);
    const how = answer.headers['content-encoding'] ?? 'identity';
    if (how !== 'identity') {
      breaksOff(new Error(`its answer is written in ${how.slice(0, 40)}, although it was asked for a plain one`));
      return upstream.destroy();
    }
    const status = answer.statusCode ?? 502;
    const isWell = status >= 200 && status < 300;
    const usage = followUsage(answer.headers['content-type'] ?? '');
    let words = '';
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (isWell) {
        state.passed(chunk.length);
        usage.take(chunk);
      } else if (words.length < MOST_OF_ERROR) words += chunk.toString('utf8');
    });
    answer.once('end', () =>
      once(() => {
        if (isWell) reservation.answered(usage.counted(), size);
        else reservation.failed(status, secrets.mask(words), answer.headers['retry-after'], undefined);
      }),
    );
    return returnAnswer(answer, status, outgoing, secrets);
  });
}

/** The only place where an answer of the service enters the cage: without the key, no faster than it is read. */
function returnAnswer(answer: IncomingMessage, status: number, outgoing: ServerResponse, secrets: KnownSecrets): void {
  const masking = secrets.stream();
  outgoing.writeHead(status, filterResponseHeaders(answer.headers, secrets));
  outgoing.flushHeaders();
  answer.on('data', (chunk: Buffer) => {
    if (!outgoing.write(masking.write(chunk))) answer.pause();
  });
  outgoing.on('drain', () => answer.resume());
  answer.once('end', () => outgoing.end(masking.end()));
}

/** An error in the formats of all services at once, so that each program finds its own. */
export function sendError(outgoing: ServerResponse, status: number, why: string): void {
  const message = `andon: ${why}`;
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error';
  const error = { message, type, code: status, status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT' };
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  outgoing.end(JSON.stringify({ type: 'error', error }));
}

/** The longest answer in one piece that is searched for usage. */
const LONGEST = 8 * 1024 * 1024;
/** A line without it holds no usage and is not parsed. */
const TELLS = '"usage';

/**
 * Reads the usage from an answer in passing: from events (`data:` lines) or one JSON text, in the formats of OpenAI,
 * Anthropic and Google. Of events it buffers one line at most.
 */
export function followUsage(contentType: string) {
  const isByLine = contentType.includes('event-stream') || contentType.includes('ndjson');
  const parts: Uint8Array[] = [];
  let length = 0;
  let counted = NOTHING_COUNTED;
  const readChunk = (bytes: Buffer): 'no life' => {
    const text = bytes.toString('utf8');
    if (text.includes(TELLS)) for (const one of valuesIn(text)) counted = addCounts(counted, countedBy(one), larger);
    return 'no life';
  };
  const lines = createLineReader(readChunk);
  return {
    take(chunk: Uint8Array): void {
      length += chunk.length;
      if (isByLine) lines.follow(chunk);
      else if (length <= LONGEST) parts.push(Uint8Array.from(chunk));
    },
    /** The usage after the answer; missing figures are unknown. */
    counted(): UsageCount {
      if (isByLine) lines.end();
      else readChunk(Buffer.concat(parts));
      return counted;
    },
  };
}

function valuesIn(text: string): readonly unknown[] {
  const value = parseJson(text.trimStart().replace(/^data:/, ''));
  return Array.isArray(value) ? value : [value];
}

function countedBy(event: unknown): UsageCount {
  const google = getOwnValue(event, 'usageMetadata');
  if (google !== undefined)
    return {
      tokensIn: figureAt(google, 'promptTokenCount'),
      cached: figureAt(google, 'cachedContentTokenCount'),
      tokensOut: sum(figureAt(google, 'candidatesTokenCount'), figureAt(google, 'thoughtsTokenCount')),
      usd: null,
    };
  const usage = findFirstValue(event, ['usage', 'response.usage', 'message.usage']);
  if (usage === undefined) return NOTHING_COUNTED;
  const read = figureAt(usage, 'cache_read_input_tokens');
  const written = figureAt(usage, 'cache_creation_input_tokens');
  const details = findFirstValue(usage, ['input_tokens_details', 'prompt_tokens_details']);
  return {
    // Anthropic counts cached input apart, the others as part of the input.
    tokensIn: sum(figureAt(usage, 'input_tokens') ?? figureAt(usage, 'prompt_tokens'), read, written),
    cached: read ?? figureAt(details, 'cached_tokens'),
    tokensOut: figureAt(usage, 'output_tokens') ?? figureAt(usage, 'completion_tokens'),
    usd: null,
  };
}

/** Each event holds totals so far, or some of them: the largest figure of each kind counts. */
const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

const sum = (...figures: readonly (number | null)[]): number | null => figures.reduce(addKnown, null);
