import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { FailureReason } from '../agent.ts';
import { NO_USAGE } from './agent-program.ts';
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
export class ProxyState {
  readonly #budget: ProxyBudget;
  readonly #now: () => Now;
  #counted = NOTHING_COUNTED;
  #estimated = NOTHING_COUNTED;
  #isWhole = true;
  #requests = 0;
  #bytes = 0;
  #open = 0;
  /** Failed answers in a row. */
  #troubles = 0;
  /** Requests under way that ask a model to work. */
  readonly #working = new Set<RequestCost>();
  /** The dearest answer so far. */
  #dearest: { readonly in: number; readonly out: number } | undefined;
  #waiting: (() => void)[] = [];
  /** Why every request of the program is refused from then on, which soon ends it. */
  #closed: FailureReason | undefined;
  #trouble: FailureReason | undefined;
  #lastTrouble: FailureReason | undefined;

  constructor(budget: ProxyBudget, now: () => Now) {
    this.#budget = budget;
    this.#now = now;
  }

  close(why: FailureReason): void {
    if (this.#closed !== undefined) return;
    this.#closed = why;
    this.#settled();
  }

  closed(): FailureReason | undefined {
    return this.#closed;
  }

  /** Asked before a request is read; a sentence is the refusal that the program gets. */
  mayNotPass(): string | undefined {
    const { requests } = this.#budget;
    if (this.#requests >= requests)
      this.close({ kind: 'crash', detail: `went round in circles: all ${requests} requests of this call are used` });
    const why = this.#closed === undefined ? this.#spent() : undefined;
    if (why !== undefined)
      this.close({ kind: 'spent', part: why.part, detail: `was let in no more: ${why.says}${this.#byEstimate()}` });
    return this.#closed?.detail;
  }

  /**
   * Asked right before a request is sent. Returns its share of the budget, the reason for a refusal, or `wait` where
   * that depends on requests under way. A request that runs alone is sent while anything is left, so at most one
   * exceeds the budget. `no work`: the model is not asked, so it costs nothing. `unseen`: a connection whose content
   * is not seen is no request: it waits for no other, and its usage stays unknown.
   */
  reserve(asking: RequestCost | 'no work' | 'unseen'): Outcome<Reservation, string> {
    const why = this.mayNotPass();
    if (why !== undefined) return failure(why);
    const isSeen = typeof asking !== 'string';
    if (isSeen && !this.#hasRoom()) return failure('wait');
    if (asking !== 'unseen') this.#requests += 1;
    this.#open += 1;
    const cost = isSeen ? { ...asking } : { bytes: 0, mostOut: 0 };
    if (isSeen) this.#working.add(cost);
    let isOver = false;
    const ends = (then: () => void): void => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      this.#working.delete(cost);
      if (asking !== 'no work') then();
      this.#settled();
    };
    return success({
      answered: (used, size) =>
        ends(() => {
          this.#troubles = 0;
          this.#trouble = undefined;
          this.#count(used, cost, size);
        }),
      failed: (status, words, retryAfter, unanswered) =>
        ends(() => {
          if (unanswered !== undefined) this.#count(NOTHING_COUNTED, cost, unanswered.size, unanswered.hasBegun);
          this.#fails(status, words, retryAfter);
        }),
      left: (size) => ends(() => this.#count(NOTHING_COUNTED, cost, size)),
    });
  }

  /** Called once when a request under way ends, or the door closes. */
  onceSettled(goOn: () => void): void {
    this.#waiting.push(goOn);
  }

  /** Records a refused request: the program may fail without giving this reason. */
  turnedAway(why: string): void {
    this.#trouble = { kind: 'refused', detail: `asked for what the model proxy does not pass on: ${why}` };
  }

  /** Counts the bytes of answers: a sign of life. */
  passed(count: number): void {
    this.#bytes += count;
  }

  /** The last error of the service: why a program gave up, in case it does not say so. */
  trouble(): FailureReason | undefined {
    return this.#trouble;
  }

  /** Tokens by the answers; null where an answer lacked them, or has not ended. No dollars where no model was asked. */
  counted(): UsageCount {
    if (!this.#isWhole || this.#working.size > 0) return NOTHING_COUNTED;
    return this.#dearest === undefined ? { ...NO_USAGE, cached: 0 } : this.#counted;
  }

  /** The same where that is unknown, with an estimate of what was not counted. */
  estimated(): UsageCount {
    return addCounts(this.#counted, this.#estimated);
  }

  requests(): number {
    return this.#requests;
  }

  bytes(): number {
    return this.#bytes;
  }

  isAsking(): boolean {
    return this.#open > 0;
  }

  #settled(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const goOn of all) goOn();
  }

  /** Why the budget is used up, with a forecast of requests under way; undefined where something is left. */
  #spent(
    forecast: UsageCount = NOTHING_COUNTED,
  ): { readonly part: 'usd' | 'tokens'; readonly says: string } | undefined {
    const { tokens, usd, priceOf } = this.#budget;
    const all = addCounts(this.estimated(), forecast);
    const used = (all.tokensIn ?? 0) + (all.tokensOut ?? 0);
    const dollars = usd === undefined ? null : priceOf(all);
    if (tokens !== undefined && used >= tokens)
      return { part: 'tokens', says: `${used} of ${tokens} tokens of this call are used` };
    return dollars !== null && usd !== undefined && dollars >= usd
      ? { part: 'usd', says: `$${dollars.toFixed(4)} of $${usd.toFixed(4)} of this call are used` }
      : undefined;
  }

  /** Words about the estimate, where answers lacked their usage. */
  #byEstimate(): string {
    if (this.#isWhole) return '';
    const cause = this.#lastTrouble === undefined ? '' : `; it ${this.#lastTrouble.detail}`;
    return ` (estimated, for not every answer told${cause})`;
  }

  /** Whether the budget has room beside the requests under way; one whose cost is unknown leaves none. */
  #hasRoom(): boolean {
    const { tokens, usd, priceOf } = this.#budget;
    const isLimited = tokens !== undefined || (usd !== undefined && priceOf(ONE_TOKEN) !== null);
    if (!isLimited || this.#working.size === 0) return true;
    let forecast = NOTHING_COUNTED;
    for (const { bytes, mostOut } of this.#working) {
      if (this.#dearest === undefined || mostOut === undefined) return false;
      const tokensIn = Math.max(bytes, this.#dearest.in); // no token is shorter than a byte
      const tokensOut = Math.max(mostOut, this.#dearest.out);
      forecast = addCounts(forecast, { ...NOTHING_COUNTED, tokensIn, tokensOut });
    }
    return this.#spent(forecast) === undefined;
  }

  /** Counts an answer; a missing figure counts as its reservation. */
  #count(used: UsageCount, asking: RequestCost, size: number, hasBegun = true): void {
    const answer = Math.max(0, size - asking.bytes);
    const out = hasBegun ? Math.max(asking.mostOut ?? OUT_UNSAID, Math.ceil(answer / BYTES_PER_TOKEN)) : 0;
    const reserved = {
      tokensIn: used.tokensIn === null ? Math.ceil(asking.bytes / BYTES_PER_TOKEN) : null,
      tokensOut: used.tokensOut === null ? out : null,
    };
    this.#isWhole &&= used.tokensIn !== null && used.tokensOut !== null;
    this.#estimated = addCounts(this.#estimated, { ...NOTHING_COUNTED, ...reserved });
    this.#counted = addCounts(this.#counted, used);
    this.#dearest = {
      in: Math.max(this.#dearest?.in ?? 0, addKnown(used.tokensIn, reserved.tokensIn) ?? 0),
      out: Math.max(this.#dearest?.out ?? 0, addKnown(used.tokensOut, reserved.tokensOut) ?? 0),
    };
  }

  #fails(status: number, words: string, retryAfter: string | undefined): void {
    this.#troubles += 1;
    const now = this.#now();
    const until = parseResetTime(retryAfter === undefined ? words : `retry-after: ${retryAfter}`, now);
    const final = explainLastFailure(status, words, until, now);
    if (final !== undefined) return this.close(final);
    const text = toTerminalLine(words, 300);
    const what = status === 0 ? `cannot be reached: ${text}` : `answers ${status}: ${text}`;
    const times = this.#troubles === 1 ? 'once' : `${this.#troubles} times in a row`;
    const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
    const kind = isRefusal ? 'refused' : 'unavailable';
    this.#trouble = { kind, detail: `has a service that ${what} (${times})`, until };
    this.#lastTrouble = this.#trouble;
    if (this.#troubles >= MOST_TROUBLES) this.close(this.#trouble);
  }
}

/** A failure after which no further request can succeed; undefined for one that may pass. */
function explainLastFailure(
  status: number,
  words: string,
  until: string | undefined,
  now: Now,
): FailureReason | undefined {
  const text = toTerminalLine(words, 300);
  if (status === 401 || status === 403)
    return { kind: 'refused', detail: `is refused by the service (${status}): ${text}; check its key` };
  const waitMs = until === undefined ? undefined : Date.parse(until) - now.at.getTime();
  // An end is asked for first: texts about a limit per minute also speak of quotas and billing.
  if (waitMs !== undefined && waitMs <= SHORT_WAIT_MS) return undefined;
  if (NO_CREDIT.test(words) || (waitMs === undefined && BILLING.test(words)))
    return { kind: 'refused', detail: `has no credit left: ${text}` };
  return status === 429 && (waitMs !== undefined || USED_UP.test(words))
    ? { kind: 'unavailable', detail: `is at its limit (429): ${text}`, until }
    : undefined;
}

const NO_CREDIT = /insufficient_quota|credit balance/i;
const BILLING = /billing details/i;
const USED_UP = /usage.?limit|quota exceeded/i;
