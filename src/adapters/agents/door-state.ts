import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { AgentFailure } from '../../ports/agent.ts';
import { NOTHING_COUNTED, added, together } from './event-rules.ts';
import type { Counted } from './event-rules.ts';
import { resetTime } from './reset-time.ts';
import type { Now } from './reset-time.ts';

/** Why a door was closed. From then on every request of the program is refused, which soon ends it. */
export type Closed = Pick<AgentFailure, 'kind' | 'detail' | 'until'>;

/** What one call may use. */
export interface DoorBudget {
  readonly requests: number;
  readonly tokens: number | undefined;
  readonly usd: number | undefined;
  /** Dollars of what was counted; null where no price is known. */
  readonly priceOf: (counted: Counted) => number | null;
}

/** What one request may cost before it is answered. */
export interface Asking {
  readonly bytes: number;
  /** The most tokens of its answer; undefined where it sets no bound. */
  readonly mostOut: number | undefined;
}

/** A request that has the model do nothing, and costs nothing. */
export const NOTHING_ASKED: Asking = { bytes: 0, mostOut: 0 };

/** A request that was sent, and whose answer did not come to its end. */
export interface Unanswered {
  /** That of the request, and of what came. */
  readonly size: number;
  /** An answer had begun; where none had, only what was asked counts. */
  readonly hasBegun: boolean;
}

/** A share of the budget that a request holds while it is under way; the first of these that is called ends it. */
export interface Reservation {
  /** An answer that is one, to its end; `size` is that of request and answer. */
  answered(used: Counted, size: number): void;
  /** An error of the service, or none at all (`status` 0); `unanswered` where it may have worked all the same. */
  failed(status: number, words: string, retryAfter: string | undefined, unanswered: Unanswered | undefined): void;
  /** The program disconnected before its answer ended: its usage is unknown. */
  left(size: number): void;
}

/** Failed answers in a row before the door closes: the program only retries. */
const MOST_TROUBLES = 6;
/** A limit that passes sooner is left to the program, which waits for it. */
const SHORT_WAIT_MS = 60_000;
/** What shows whether prices are known. */
const ONE_TOKEN: Counted = { tokensIn: 1, cached: 0, tokensOut: 1, usd: null };
/** Characters of JSON that make a token, where a service tells nothing. */
const BYTES_PER_TOKEN = 4;
/** What an answer counts at least where neither its request bounds it nor its service tells. */
const OUT_UNSAID = 4096;

/** What went through a door, and what follows from it: pure, and told about every request when it is over. */
export function doorState(budget: DoorBudget, now: () => Now) {
  let counted = NOTHING_COUNTED;
  let estimated = NOTHING_COUNTED;
  let isWhole = true;
  let [requests, bytes, troubles, open] = [0, 0, 0, 0];
  const holds = new Set<Asking>();
  /** The dearest answer so far; undefined until there is one. */
  let dearest: { readonly in: number; readonly out: number } | undefined;
  let waiting: (() => void)[] = [];
  let closed: Closed | undefined;
  let trouble: Closed | undefined;
  let lastTrouble: Closed | undefined;
  const settled = (): void => {
    const all = waiting;
    waiting = [];
    for (const goOn of all) goOn();
  };
  const closing: (() => void)[] = [];
  const close = (why: Closed): void => {
    if (closed !== undefined) return;
    closed = why;
    closing.forEach((end) => end());
    settled();
  };
  const spent = (held: Counted = NOTHING_COUNTED): string | undefined => {
    const { tokens, usd } = budget;
    const all = together(together(counted, estimated), held);
    const used = (all.tokensIn ?? 0) + (all.tokensOut ?? 0);
    const dollars = usd === undefined ? null : budget.priceOf(all);
    if (tokens !== undefined && used >= tokens) return `${used} of ${tokens} tokens of this call are used`;
    return dollars !== null && usd !== undefined && dollars >= usd
      ? `$${dollars.toFixed(4)} of $${usd.toFixed(4)} of this call are used`
      : undefined;
  };
  /** How it is known, where answers did not tell what they used, and why that may be so. */
  const byEstimate = (): string => {
    if (isWhole) return '';
    const cause = lastTrouble === undefined ? '' : `; it ${lastTrouble.detail}`;
    return ` (estimated, for not every answer told${cause})`;
  };
  /** Whether the budget has room beside what is under way; what no bound is known of leaves room for nothing. */
  const hasRoom = (): boolean => {
    const { tokens, usd, priceOf } = budget;
    const isLimited = tokens !== undefined || (usd !== undefined && priceOf(ONE_TOKEN) !== null);
    if (!isLimited || holds.size === 0) return true;
    let held = NOTHING_COUNTED;
    for (const { bytes: asked, mostOut } of holds) {
      if (dearest === undefined || mostOut === undefined) return false;
      const tokensIn = Math.max(asked, dearest.in); // no token is shorter than a byte
      held = together(held, { ...NOTHING_COUNTED, tokensIn, tokensOut: Math.max(mostOut, dearest.out) });
    }
    return spent(held) === undefined;
  };
  /** Counts an answer; a figure that it does not tell counts at what was reserved for it. */
  const count = (used: Counted, asking: Asking, size: number, hasBegun = true): void => {
    const answer = Math.max(0, size - asking.bytes);
    const out = hasBegun ? Math.max(asking.mostOut ?? OUT_UNSAID, Math.ceil(answer / BYTES_PER_TOKEN)) : 0;
    const reserved = {
      tokensIn: used.tokensIn === null ? Math.ceil(asking.bytes / BYTES_PER_TOKEN) : null,
      tokensOut: used.tokensOut === null ? out : null,
    };
    if (used.tokensIn === null || used.tokensOut === null) isWhole = false;
    estimated = together(estimated, { ...NOTHING_COUNTED, ...reserved });
    counted = together(counted, used);
    dearest = {
      in: Math.max(dearest?.in ?? 0, added(used.tokensIn, reserved.tokensIn) ?? 0),
      out: Math.max(dearest?.out ?? 0, added(used.tokensOut, reserved.tokensOut) ?? 0),
    };
  };
  const begins = (): void => {
    requests += 1;
    open += 1;
  };
  const answers = (used: Counted, asking: Asking, size: number): void => {
    open -= 1;
    troubles = 0;
    trouble = undefined;
    count(used, asking, size);
  };
  const fails = (status: number, words: string, retryAfter: string | undefined): void => {
    open -= 1;
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
    closed: (): Closed | undefined => closed,
    /** Has this done when the door is closed, whyever. */
    onClose: (end: () => void): void => void closing.push(end),
    /** Asked before a request is read; a sentence is the refusal that the program gets. */
    mayNotPass,
    /**
     * Asked right before a request is sent. Returns its share of the budget, the reason for a refusal, or `wait` where
     * that depends on requests under way. A request that runs alone is sent while anything is left, so at most one
     * request exceeds the budget.
     */
    reserve(asking: Asking): Outcome<Reservation, string> {
      const why = mayNotPass();
      if (why !== undefined) return failure(why);
      const isWork = asking !== NOTHING_ASKED;
      if (isWork && !hasRoom()) return failure('wait');
      begins();
      if (isWork) holds.add(asking);
      const ends = (then: () => void): void => {
        if (isWork && !holds.delete(asking)) return;
        if (isWork) then();
        else open -= 1;
        settled();
      };
      return success({
        answered: (used, size) => ends(() => answers(used, asking, size)),
        failed: (status, words, retryAfter, unanswered) =>
          ends(() => {
            if (unanswered !== undefined) count(NOTHING_COUNTED, asking, unanswered.size, unanswered.hasBegun);
            fails(status, words, retryAfter);
          }),
        left: (size) =>
          ends(() => {
            open -= 1;
            count(NOTHING_COUNTED, asking, size);
          }),
      });
    },
    /** Called once when a request under way has ended, or nothing passes any more. */
    onceSettled(goOn: () => void): void {
      waiting.push(goOn);
    },
    /** A request that was not sent for what it holds: why a program may fail whose own words do not say it. */
    turnedAway(why: string): void {
      trouble = { kind: 'refused', detail: `asked for what the model proxy does not pass on: ${why}` };
    },
    /** A connection of which only its bytes are seen. */
    begins,
    passed(count: number): void {
      bytes += count;
    },
    answered: (used: Counted, size: number): void => answers(used, NOTHING_ASKED, size),
    failed: fails,
    /** What the service answered last, where that was no answer: why a program gave up, which it may not say itself. */
    trouble: (): Closed | undefined => trouble,
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
