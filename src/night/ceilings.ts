import { failure, success } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import type { Amounts, PeriodName } from '../config/night-settings.ts';
import type { Over, Reserve, Sums } from '../ports/ledger.ts';
import type { Wait } from './wait.ts';

/** One ceiling with the time over which it counts; the account is undefined where all of them count together. */
export interface Bound extends Over {
  readonly own: 'ceiling' | 'night';
  readonly name: PeriodName | 'this night';
  readonly limit: Amounts;
}

/** What a call would set aside: undefined = nothing holds it; `least` is what it cannot do with less of. */
export interface Wanted {
  readonly account: string;
  /** A call that costs no money is held to no ceiling of money. */
  readonly isFree: boolean;
  /** Nobody will tell what it cost, and nothing holds it to an amount: it counts in calls and tokens. */
  readonly isUnpriced?: boolean;
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  /** The most tokens that its program can take; undefined = there is no such bound. */
  readonly window: number | undefined;
  readonly minutes: number;
  readonly least: { readonly usd: number; readonly tokens: number; readonly minutes: number };
}

/** What a ceiling may be of. */
export type What = 'usd' | 'tokens' | 'minutes' | 'calls';
export const EVERY: readonly What[] = ['usd', 'tokens', 'minutes', 'calls'];
/** Sums of parts of a dollar or of a minute are not exact; less than this is nothing. */
const ROUNDING = 1e-6;

/** The bounds that a call of an account is held to. */
const boundsFor = (bounds: readonly Bound[], account: string): readonly Bound[] =>
  bounds.filter((bound) => bound.account === undefined || bound.account === account);

/**
 * What a call may set aside: what it wants, cut down to what one call may, and to what each ceiling has left; or the first
 * ceiling that has too little left for it. Pure.
 */
export function allow(
  wanted: Wanted,
  bounds: readonly Bound[],
  call: Amounts,
  sums: (over: Over) => Sums,
): Outcome<Reserve, Wait> {
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
      reason: `the ceiling per call of ${amount('usd', call.usd)} is less than the next call takes: ${amount('usd', least.usd)}`,
      until: null,
    });
  for (const bound of boundsFor(bounds, wanted.account)) {
    const used = sums(bound);
    for (const what of EVERY) {
      const limit = bound.limit[what];
      if (limit === undefined || (what === 'usd' && isFree)) continue;
      const left = limit - used[what];
      const enough = what === 'calls' ? 1 : least[what];
      if (left < enough - ROUNDING) return failure(reached(bound, what, used, enough));
      if (what === 'usd' && isUnpriced) continue;
      granted[what] = lower(granted[what] ?? (what === 'tokens' ? wanted.window : undefined), left) ?? left;
    }
  }
  const { usd, tokens, minutes } = granted;
  return success({ usd: usd ?? null, tokens: tokens === undefined ? null : Math.floor(tokens), minutes });
}

/**
 * Why nothing begins at all: a ceiling over every account is used up by calls that are over, of something that each call
 * takes. What is only set aside holds a call, which then looks whether its andon is still alive. Pure.
 */
export function whyNothingLeft(bounds: readonly Bound[], sums: (over: Over) => Sums): Wait | undefined {
  for (const bound of bounds.filter(({ account }) => account === undefined)) {
    const used = sums(bound);
    for (const what of EVERY) {
      const limit = bound.limit[what];
      if (limit !== undefined && what !== 'usd' && limit - (used[what] - used.open[what]) < ROUNDING)
        return reached(bound, what, used, ROUNDING);
    }
  }
  return undefined;
}

/**
 * Where calls under way hold what is missing it may come free before the ceiling begins anew; one that is too low for the
 * call whatever is used holds it until somebody raises it.
 */
function reached(bound: Bound, what: What, used: Sums, enough: number): Wait {
  const limit = bound.limit[what] ?? 0;
  if (limit < enough - ROUNDING) {
    const reason = `the ceiling ${called(bound)} of ${amount(what, limit)} is less than the next call may take: ${amount(what, enough)}`;
    return { own: bound.own, reason, until: bound.own === 'night' ? bound.to : null };
  }
  const open = used.open[what];
  const isHeld = open > 0 && limit - (used[what] - open) >= enough - ROUNDING;
  const under = open > 0 ? `, ${amount(what, open)} of it set aside for ${calls(used.open.calls)} under way` : '';
  return {
    own: bound.own,
    reason: `the ceiling ${called(bound)} of ${amount(what, limit)} ${isHeld ? 'has too little left' : 'is reached'}: ${amount(what, used[what])} used${under}`,
    until: isHeld ? null : bound.to,
  };
}

/** A ceiling by its time and its account. */
export const called = ({ name, account }: Pick<Bound, 'name' | 'account'>): string =>
  `${name === 'this night' ? 'of this night' : `per ${name}`}${account === undefined ? '' : ` of ${account}`}`;

/** An amount with its unit. */
export function amount(what: What, value: number): string {
  if (what === 'usd') return `$${value.toFixed(value < 0.1 && value > 0 ? 4 : 2)}`;
  if (what === 'calls') return calls(value);
  return `${Math.round(value * 10) / 10} ${what}`;
}

const calls = (number: number): string => `${number} call${number === 1 ? '' : 's'}`;

const lower = (one: number | undefined, two: number | undefined): number | undefined =>
  one === undefined || two === undefined ? (one ?? two) : Math.min(one, two);
