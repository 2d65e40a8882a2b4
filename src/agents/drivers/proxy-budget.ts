import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { FailureReason } from '../agent.ts';
import { NOTHING_COUNTED, addCounts, addKnown, type UsageCount } from './event-rules.ts';
import { parseResetTime, type Now } from './reset-time.ts';

/** The budget of one call. */
export interface ProxyBudget {
  readonly requests: number;
  readonly tokens: number | undefined;
  readonly usd: number | undefined;
  /** Dollars of a usage; null where no price is known. */
  readonly priceOf: (counted: UsageCount) => number | null;
}

/** The possible cost of a request before it is answered. */
export interface RequestCost {
  readonly bytes: number;
  /** The limit of tokens in its answer; undefined where it sets none. */
  readonly mostOut: number | undefined;
}

/** A sent request whose answer did not complete. */
export interface Unanswered {
  /** Bytes of the request and of the partial answer. */
  readonly size: number;
  /** Whether an answer had begun; otherwise only the request counts. */
  readonly hasBegun: boolean;
}

/** A share of the budget, held while a request is under way; the first of these calls ends it. */
export interface Reservation {
  /** A complete answer; `size` is that of request and answer. */
  answered(used: UsageCount, size: number): void;
  /** An error of the service, or no answer (`status` 0); `unanswered` where it may have worked anyway. */
  failed(status: number, words: string, retryAfter: string | undefined, unanswered: Unanswered | undefined): void;
  /** The program disconnected before its answer ended: its usage is unknown. */
  left(size: number): void;
}

/** Failed answers in a row before the door closes: the program only retries. */
const MOST_TROUBLES = 6;
/** A shorter limit is left to the program, which waits for it. */
const SHORT_WAIT_MS = 60_000;
/** Probes whether prices are known. */
const ONE_TOKEN: UsageCount = { tokensIn: 1, cached: 0, tokensOut: 1, usd: null };
/** Estimated characters of JSON per token, where a service reports no usage. */
const BYTES_PER_TOKEN = 4;
/** Least output tokens where neither request nor service gives a figure. */
const OUT_UNSAID = 4096;

/** The accounting of a door: pure, called with every finished request. */
export function createProxyState(budget: ProxyBudget, now: () => Now) {
  let counted = NOTHING_COUNTED;
  let estimated = NOTHING_COUNTED;
  let isWhole = true;
  let [requests, bytes, troubles, open] = [0, 0, 0, 0];
  /** Requests under way that ask a model to work. */
  const working = new Set<RequestCost>();
  /** The dearest answer so far. */
  let dearest: { readonly in: number; readonly out: number } | undefined;
  let waiting: (() => void)[] = [];
  /** Why every request of the program is refused from then on, which soon ends it. */
  let closed: FailureReason | undefined;
  let trouble: FailureReason | undefined;
  let lastTrouble: FailureReason | undefined;
  const settled = (): void => {
    const all = waiting;
    waiting = [];
    for (const goOn of all) goOn();
  };
  const close = (why: FailureReason): void => {
    if (closed !== undefined) return;
    closed = why;
    settled();
  };
  const spent = (forecast: UsageCount = NOTHING_COUNTED): string | undefined => {
    const { tokens, usd } = budget;
    const all = addCounts(addCounts(counted, estimated), forecast);
    const used = (all.tokensIn ?? 0) + (all.tokensOut ?? 0);
    const dollars = usd === undefined ? null : budget.priceOf(all);
    if (tokens !== undefined && used >= tokens) return `${used} of ${tokens} tokens of this call are used`;
    return dollars !== null && usd !== undefined && dollars >= usd
      ? `$${dollars.toFixed(4)} of $${usd.toFixed(4)} of this call are used`
      : undefined;
  };
  /** Words about the estimate, where answers lacked their usage. */
  const byEstimate = (): string => {
    if (isWhole) return '';
    const cause = lastTrouble === undefined ? '' : `; it ${lastTrouble.detail}`;
    return ` (estimated, for not every answer told${cause})`;
  };
  /** Whether the budget has room beside the requests under way; one whose cost is unknown leaves none. */
  const hasRoom = (): boolean => {
    const { tokens, usd, priceOf } = budget;
    const isLimited = tokens !== undefined || (usd !== undefined && priceOf(ONE_TOKEN) !== null);
    if (!isLimited || working.size === 0) return true;
    let forecast = NOTHING_COUNTED;
    for (const { bytes: size, mostOut } of working) {
      if (dearest === undefined || mostOut === undefined) return false;
      const tokensIn = Math.max(size, dearest.in); // no token is shorter than a byte
      forecast = addCounts(forecast, { ...NOTHING_COUNTED, tokensIn, tokensOut: Math.max(mostOut, dearest.out) });
    }
    return spent(forecast) === undefined;
  };
  /** Counts an answer; a missing figure counts as its reservation. */
  const count = (used: UsageCount, asking: RequestCost, size: number, hasBegun = true): void => {
    const answer = Math.max(0, size - asking.bytes);
    const out = hasBegun ? Math.max(asking.mostOut ?? OUT_UNSAID, Math.ceil(answer / BYTES_PER_TOKEN)) : 0;
    const reserved = {
      tokensIn: used.tokensIn === null ? Math.ceil(asking.bytes / BYTES_PER_TOKEN) : null,
      tokensOut: used.tokensOut === null ? out : null,
    };
    if (used.tokensIn === null || used.tokensOut === null) isWhole = false;
    estimated = addCounts(estimated, { ...NOTHING_COUNTED, ...reserved });
    counted = addCounts(counted, used);
    dearest = {
      in: Math.max(dearest?.in ?? 0, addKnown(used.tokensIn, reserved.tokensIn) ?? 0),
      out: Math.max(dearest?.out ?? 0, addKnown(used.tokensOut, reserved.tokensOut) ?? 0),
    };
  };
  const fails = (status: number, words: string, retryAfter: string | undefined): void => {
    troubles += 1;
    const text = toTerminalLine(words, 300);
    if (status === 401 || status === 403)
      return close({ kind: 'refused', detail: `is refused by the service (${status}): ${text}; check its key` });
    const until = parseResetTime(retryAfter === undefined ? words : `retry-after: ${retryAfter}`, now());
    const isLong = until !== undefined && Date.parse(until) - now().at.getTime() > SHORT_WAIT_MS;
    if (NO_CREDIT.test(words)) return close({ kind: 'refused', detail: `has no credit left: ${text}` });
    if (status === 429 && (isLong || USED_UP.test(words)))
      return close({ kind: 'unavailable', detail: `is at its limit (429): ${text}`, until });
    const what = status === 0 ? `cannot be reached: ${text}` : `answers ${status}: ${text}`;
    const kind = status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'refused' : 'unavailable';
    trouble = {
      kind,
      detail: `has a service that ${what} (${troubles === 1 ? 'once' : `${troubles} times in a row`})`,
      until,
    };
    lastTrouble = trouble;
    return troubles < MOST_TROUBLES ? undefined : close(trouble);
  };
  const mayNotPass = (): string | undefined => {
    if (requests >= budget.requests)
      close({
        kind: 'crash',
        detail: `went round in circles: all ${budget.requests} requests of this call are used`,
      });
    const why = closed === undefined ? spent() : undefined;
    if (why !== undefined) close({ kind: 'spent', detail: `was let in no more: ${why}${byEstimate()}` });
    return closed?.detail;
  };
  return {
    close,
    closed: (): FailureReason | undefined => closed,
    /** Asked before a request is read; a sentence is the refusal that the program gets. */
    mayNotPass,
    /**
     * Asked right before a request is sent. Returns its share of the budget, the reason for a refusal, or `wait` where
     * that depends on requests under way. A request that runs alone is sent while anything is left, so at most one
     * exceeds the budget. `no work`: the model is not asked, so it costs nothing. `unseen`: a connection whose content
     * is not seen waits for no other, and its usage stays unknown.
     */
    reserve(asking: RequestCost | 'no work' | 'unseen'): Outcome<Reservation, string> {
      const why = mayNotPass();
      if (why !== undefined) return failure(why);
      const isSeen = typeof asking !== 'string';
      if (isSeen && !hasRoom()) return failure('wait');
      requests += 1;
      open += 1;
      const cost = isSeen ? { ...asking } : { bytes: 0, mostOut: 0 };
      if (isSeen) working.add(cost);
      let isOver = false;
      const ends = (then: () => void): void => {
        if (isOver) return;
        isOver = true;
        open -= 1;
        if (asking !== 'no work') {
          working.delete(cost);
          then();
        }
        settled();
      };
      return success({
        answered: (used, size) =>
          ends(() => {
            troubles = 0;
            trouble = undefined;
            count(used, cost, size);
          }),
        failed: (status, words, retryAfter, unanswered) =>
          ends(() => {
            if (unanswered !== undefined) count(NOTHING_COUNTED, cost, unanswered.size, unanswered.hasBegun);
            fails(status, words, retryAfter);
          }),
        left: (size) => ends(() => count(NOTHING_COUNTED, cost, size)),
      });
    },
    /** Called once when a request under way ends, or the door closes. */
    onceSettled(goOn: () => void): void {
      waiting.push(goOn);
    },
    /** Records a refused request: the program may fail without giving this reason. */
    turnedAway(why: string): void {
      trouble = { kind: 'refused', detail: `asked for what the model proxy does not pass on: ${why}` };
    },
    /** Counts the bytes of answers: a sign of life. */
    passed(count: number): void {
      bytes += count;
    },
    /** The last error of the service: why a program gave up, in case it does not say so. */
    trouble: (): FailureReason | undefined => trouble,
    /** Tokens by the answers; null where an answer lacked them. */
    counted: (): UsageCount => (isWhole && requests > 0 ? counted : NOTHING_COUNTED),
    requests: (): number => requests,
    bytes: (): number => bytes,
    isAsking: (): boolean => open > 0,
  };
}

export type ProxyState = ReturnType<typeof createProxyState>;

const NO_CREDIT = /insufficient_quota|credit balance|billing details/i;
const USED_UP = /usage_limit|usage limit|quota exceeded|limit reached/i;
