import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { KnownSecrets } from '../../base/known-secrets.ts';
import { filterResponseHeaders } from './proxy-headers.ts';
import type { ProxyState, Reservation, Unanswered } from './proxy-budget.ts';
import { followUsage } from './proxy-usage.ts';

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
