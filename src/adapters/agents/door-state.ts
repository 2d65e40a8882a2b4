import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { AgentFailure } from '../../ports/agent.ts';
import { NOTHING_COUNTED, together } from './event-rules.ts';
import type { Counted } from './event-rules.ts';
import { resetTime } from './reset-time.ts';
import type { Now } from './reset-time.ts';

/** Why a door was closed: from then on the program is told that it is not let in, which ends every one of them soon. */
export type Closed = Pick<AgentFailure, 'kind' | 'detail' | 'until'>;

/** What one call may use. */
export interface DoorBudget {
  readonly requests: number;
  readonly tokens: number | undefined;
  readonly usd: number | undefined;
  /** Dollars of what was counted; null where no price is known. */
  readonly priceOf: (counted: Counted) => number | null;
}

/** What one request may use at the most; an output that it does not limit is unknown. */
export interface Reserve {
  readonly tokensIn: number;
  readonly tokensOut: number | undefined;
}

/** What an answer is taken to have used that tells nothing, by its request. */
const UNSAID_OUTPUT = 4096;
const NO_RESERVE: Reserve = { tokensIn: 0, tokensOut: 0 };

/** So many answers in a row that are none: the program tries again and again, and nothing comes of it. */
const MOST_TROUBLES = 6;
/** A limit that passes sooner is left to the program, which waits for it. */
const SHORT_WAIT_MS = 60_000;
/** Characters of JSON that make a token, where a service tells nothing. */
const BYTES_PER_TOKEN = 4;

/** What went through a door, and what follows from it: pure, and told about every request when it is over. */
export function doorState(budget: DoorBudget, now: () => Now) {
  let counted = NOTHING_COUNTED;
  let isWhole = true;
  let estimated = 0;
  let [requests, bytes, troubles, open] = [0, 0, 0, 0];
  const reserved = new Set<Reserve>();
  let closed: Closed | undefined;
  let trouble: Closed | undefined;
  const closing: (() => void)[] = [];
  const close = (why: Closed): void => {
    if (closed !== undefined) return;
    closed = why;
    closing.forEach((end) => end());
  };
  /** Tokens and dollars of these requests; null where no limit of an output or no price is known. */
  const sumOf = (requestsOf: Iterable<Reserve>): { readonly tokens: number | null; readonly usd: number | null } => {
    let [tokensIn, tokensOut, isKnown] = [0, 0, true];
    for (const one of requestsOf) {
      tokensIn += one.tokensIn;
      tokensOut += one.tokensOut ?? 0;
      isKnown &&= one.tokensOut !== undefined;
    }
    if (!isKnown) return { tokens: null, usd: null };
    return { tokens: tokensIn + tokensOut, usd: budget.priceOf({ tokensIn, tokensOut, cached: null, usd: null }) };
  };
  /** Counts what nobody told: by the request and the answer, and no less than the request was taken to use. */
  const estimate = (size: number, { tokensIn, tokensOut }: Reserve): void => {
    isWhole = false;
    estimated += Math.max(Math.ceil(size / BYTES_PER_TOKEN), tokensIn + (tokensOut ?? UNSAID_OUTPUT));
  };
  const spent = (): string | undefined => {
    const { tokens, usd } = budget;
    const used = (counted.tokensIn ?? 0) + (counted.tokensOut ?? 0) + estimated;
    const dollars = usd === undefined ? null : budget.priceOf(counted);
    if (tokens !== undefined && used >= tokens) return `${used} of ${tokens} tokens of this call are used`;
    return dollars !== null && usd !== undefined && dollars >= usd
      ? `$${dollars.toFixed(4)} of $${usd.toFixed(4)} of this call are used`
      : undefined;
  };
  return {
    close,
    closed: (): Closed | undefined => closed,
    /** Has this done when the door is closed, whyever. */
    onClose: (end: () => void): void => void closing.push(end),
    /** Asked before every request; the sentence is what the program is told instead of an answer. */
    mayNotPass(): string | undefined {
      if (requests >= budget.requests)
        close({
          kind: 'crash',
          detail: `went round in circles: all ${budget.requests} requests of this call are used`,
        });
      const why = closed === undefined ? spent() : undefined;
      if (why !== undefined) close({ kind: 'spent', detail: `was let in no more: ${why}` });
      return closed?.detail;
    },
    /**
     * Whether a request may be sent beside those under way: together they stay within the budget, so that it is passed by
     * one request at the most. Alone it may always be sent; what does not limit its output is sent alone.
     */
    fits(reserve: Reserve): boolean {
      if (open === 0 || (budget.tokens === undefined && budget.usd === undefined)) return true;
      const all = sumOf([...reserved, reserve]);
      const used = (counted.tokensIn ?? 0) + (counted.tokensOut ?? 0) + estimated;
      const dollars = budget.priceOf(counted) ?? 0;
      return (
        all.tokens !== null &&
        (budget.tokens === undefined || used + all.tokens <= budget.tokens) &&
        (budget.usd === undefined || all.usd === null || dollars + all.usd <= budget.usd)
      );
    },
    begins(reserve: Reserve = NO_RESERVE): void {
      requests += 1;
      open += 1;
      reserved.add(reserve);
    },
    passed(count: number): void {
      bytes += count;
    },
    /** An answer that is one, to its end; `size` is that of request and answer. */
    answered(used: Counted, size: number, reserve: Reserve = NO_RESERVE): void {
      open -= 1;
      reserved.delete(reserve);
      troubles = 0;
      trouble = undefined;
      if (used.tokensIn === null && used.tokensOut === null) estimate(size, reserve);
      counted = together(counted, used);
    },
    /** An error of the service, or none at all (`status` 0). */
    failed(status: number, words: string, retryAfter: string | undefined, reserve: Reserve = NO_RESERVE): void {
      open -= 1;
      reserved.delete(reserve);
      troubles += 1;
      const said = inOneTerminalLine(words, 300);
      if (status === 401 || status === 403)
        return close({ kind: 'refused', detail: `is refused by the service (${status}): ${said}; check its key` });
      const until = resetTime(retryAfter === undefined ? words : `retry-after: ${retryAfter}`, now());
      const back = until === undefined ? {} : { until };
      const isLong = until !== undefined && Date.parse(until) - now().at.getTime() > SHORT_WAIT_MS;
      if (NO_CREDIT.test(words)) return close({ kind: 'refused', detail: `has no credit left: ${said}` });
      if (status === 429 && (isLong || USED_UP.test(words)))
        return close({ kind: 'unavailable', detail: `is at its limit (429): ${said}`, ...back });
      const what = status === 0 ? `cannot be reached: ${said}` : `answers ${status}: ${said}`;
      const kind = status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'refused' : 'unavailable';
      trouble = {
        kind,
        detail: `has a service that ${what} (${troubles === 1 ? 'once' : `${troubles} times in a row`})`,
        ...back,
      };
      return troubles < MOST_TROUBLES ? undefined : close(trouble);
    },
    /** What the service answered last, where that was no answer: why a program gave up, which it may not say itself. */
    trouble: (): Closed | undefined => trouble,
    /** The program went away before its answer had ended: nobody knows what was used. */
    left(size: number, reserve: Reserve = NO_RESERVE): void {
      open -= 1;
      reserved.delete(reserve);
      estimate(size, reserve);
    },
    /** Tokens by the answers; null where not every answer told them. */
    counted: (): Counted => (isWhole && requests > 0 ? counted : NOTHING_COUNTED),
    requests: (): number => requests,
    bytes: (): number => bytes,
    isAsking: (): boolean => open > 0,
  };
}

export type DoorState = ReturnType<typeof doorState>;

const NO_CREDIT = /insufficient_quota|credit balance|billing details/i;
const USED_UP = /usage_limit|usage limit|quota exceeded|limit reached/i;
