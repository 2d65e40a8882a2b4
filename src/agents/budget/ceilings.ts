import { formatCount } from '../../base/format-count.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Amounts, PeriodName } from '../../project/config/night-settings.ts';
import type { Over, LedgerReserve, Sums } from '../ledger.ts';

/** One ceiling and its period; without an account it covers all of them. */
export interface Bound extends Over {
  readonly own: 'ceiling' | 'night';
  readonly name: PeriodName | 'this night';
  readonly limit: Amounts;
}

/** What a call would reserve: undefined = unbounded; `least` is the smallest useful amount. */
export interface CallReserve {
  readonly account: string;
  /** A call without cost is exempt from ceilings in money. */
  readonly isFree: boolean;
  /** Its cost is unknown and unbounded, so it counts in calls and tokens. */
  readonly isUnpriced?: boolean;
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  /** The most tokens that its program can use; undefined = unbounded. */
  readonly window: number | undefined;
  readonly minutes: number;
  readonly least: { readonly usd: number; readonly tokens: number; readonly minutes: number };
}

export type CeilingUnit = 'usd' | 'tokens' | 'minutes' | 'calls';
export const EVERY: readonly CeilingUnit[] = ['usd', 'tokens', 'minutes', 'calls'];
/** Sums of fractions of a dollar or minute are inexact; differences below this are zero. */
const ROUNDING = 1e-6;

const listBounds = (bounds: readonly Bound[], account: string): readonly Bound[] =>
  bounds.filter((bound) => bound.account === undefined || bound.account === account);

/**
 * What a call may reserve: its request, cut to the limit per call and to what each ceiling has left; or the first
 * ceiling with too little left. Pure.
 */
export function allowReserve(
  wanted: CallReserve,
  bounds: readonly Bound[],
  call: Amounts,
  sums: (over: Over) => Sums,
): Outcome<LedgerReserve, StartDelay> {
  const { isFree, isUnpriced = false, least } = wanted;
  const granted = {
    usd: isFree ? 0 : isUnpriced ? undefined : lower(wanted.usd, call.usd),
    tokens: lower(wanted.tokens, call.tokens === undefined ? undefined : Math.max(call.tokens, least.tokens)),
    minutes: lower(wanted.minutes, call.minutes) ?? wanted.minutes,
    calls: 1,
  };
  if (granted.usd !== undefined && call.usd !== undefined && !isFree && call.usd < least.usd - ROUNDING)
    return failure({
      own: 'ceiling',
      reason: `the ceiling per call of ${formatAmount('usd', call.usd)} is less than the next call takes: ${formatAmount('usd', least.usd)}`,
      until: null,
    });
  for (const bound of listBounds(bounds, wanted.account)) {
    const used = sums(bound);
    for (const what of EVERY) {
      const limit = bound.limit[what];
      if (limit === undefined || (what === 'usd' && isFree)) continue;
      const left = limit - used[what];
      const enough = what === 'calls' ? 1 : least[what];
      if (left < enough - ROUNDING) return failure(explainReached(bound, what, used, enough));
      if (what === 'usd' && isUnpriced) continue;
      granted[what] = lower(granted[what] ?? (what === 'tokens' ? wanted.window : undefined), left) ?? left;
    }
  }
  const { usd, tokens, minutes } = granted;
  return success({ usd: usd ?? null, tokens: tokens === undefined ? null : Math.floor(tokens), minutes });
}

/**
 * Why no call may start: a ceiling over all accounts is used up by finished calls, in a unit that every call uses.
 * Reservations hold single calls only; those check whether the holder is alive. Pure.
 */
export function explainExhausted(bounds: readonly Bound[], sums: (over: Over) => Sums): StartDelay | undefined {
  for (const bound of bounds.filter(({ account }) => account === undefined)) {
    const used = sums(bound);
    for (const what of EVERY) {
      const limit = bound.limit[what];
      if (limit !== undefined && what !== 'usd' && limit - (used[what] - used.open[what]) < ROUNDING)
        return explainReached(bound, what, used, ROUNDING);
    }
  }
  return undefined;
}

/**
 * Reservations may be released before the ceiling resets. A ceiling below the needs of the call holds it until it is
 * raised.
 */
function explainReached(bound: Bound, what: CeilingUnit, used: Sums, enough: number): StartDelay {
  const limit = bound.limit[what] ?? 0;
  if (limit < enough - ROUNDING) {
    const reason = `the ceiling ${nameCeiling(bound)} of ${formatAmount(what, limit)} is less than the next call may take: ${formatAmount(what, enough)}`;
    return { own: bound.own, reason, until: bound.own === 'night' ? bound.to : null };
  }
  const open = used.open[what];
  const isHeld = open > 0 && limit - (used[what] - open) >= enough - ROUNDING;
  const under =
    open > 0
      ? `, ${formatAmount(what, open)} of it set aside for ${formatCount(used.open.calls, 'call')} under way`
      : '';
  return {
    own: bound.own,
    reason: `the ceiling ${nameCeiling(bound)} of ${formatAmount(what, limit)} ${isHeld ? 'has too little left' : 'is reached'}: ${formatAmount(what, used[what])} used${under}`,
    until: isHeld ? null : bound.to,
  };
}

export const nameCeiling = ({ name, account }: Pick<Bound, 'name' | 'account'>): string =>
  `${name === 'this night' ? 'of this night' : `per ${name}`}${account === undefined ? '' : ` of ${account}`}`;

export function formatAmount(what: CeilingUnit, value: number): string {
  if (what === 'usd') return `$${value.toFixed(value < 0.1 && value > 0 ? 4 : 2)}`;
  if (what === 'calls') return formatCount(value, 'call');
  return `${Math.round(value * 10) / 10} ${what}`;
}

const lower = (one: number | undefined, two: number | undefined): number | undefined =>
  one === undefined || two === undefined ? (one ?? two) : Math.min(one, two);

/** Why something does not start now, and when it may; null = unknown. */
export interface StartDelay {
  readonly own: 'hours' | 'night' | 'ceiling';
  readonly reason: string;
  readonly until: string | null;
}

export const formatStartDelay = ({ reason, until }: StartDelay): string =>
  `${reason}; nothing new starts${until === null ? ' until that has changed' : ` until ${until}`}`;
