import { toTerminalLine } from '../../base/plain-text.ts';
import type { ModelFailure } from '../../ports/language-model.ts';

/** The meaning of an SDK error, without any text that could hold the key. */
export function classifyModelError(error: unknown, signal: AbortSignal, key: string | undefined): ModelFailure {
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
