import { allowReserve, explainExhausted, type CallReserve, formatStartDelay, type StartDelay } from './ceilings.ts';
import { listBoundsAt, findNight, explainNotNow, explainNightStop, type Watching } from './night-facts.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import type { UserLimits } from '../../project/config/read-settings.ts';
import type { Clock } from '../../base/clock.ts';
import type { LedgerClaim, Ledger, LedgerReserve } from '../ledger.ts';

/** The user's current limits, and the ledger that they apply to. */
export interface ActiveLimits extends Watching {
  readonly limits: () => UserLimits;
  readonly ledger: Pick<Ledger, 'nights' | 'lastNight' | 'sums' | 'reserve'>;
  /** When this andon ends; undefined = when it is stopped. */
  readonly ends?: string | undefined;
}

/** Why nothing is paid after a night that was ended early; undefined when calls may be made. */
export const explainStoppedNight = ({
  ledger,
  ownNight,
  stopBefore,
}: Watching & { readonly ledger: Pick<Ledger, 'lastNight'> }): StartDelay | undefined =>
  ownNight === undefined && stopBefore === undefined
    ? undefined
    : explainNightStop(ledger.lastNight(), { ownNight, stopBefore });

/** Why work of at most this many minutes may not begin now; undefined when it may. */
export const explainNotFor = (user: ActiveLimits, at: string, minutes: number): StartDelay | undefined =>
  explainStoppedNight(user) ??
  explainNotNow(
    { hours: user.limits().hours, night: findNight(user.ledger.nights(at), at), ends: user.ends },
    at,
    minutes,
  );

/** Why nothing new begins now, whatever it is; undefined when something may. */
export function explainNoStart(user: ActiveLimits, at: string): StartDelay | undefined {
  const { limits, ledger } = user;
  const bounds = listBoundsAt(limits().ceilings, findNight(ledger.nights(at), at), at);
  return explainNotFor(user, at, 0) ?? explainExhausted(bounds, (over) => ledger.sums(over));
}

/** The same in words, at this moment. */
export function formatNoStart({
  clock,
  ...user
}: ActiveLimits & { readonly clock: Pick<Clock, 'now'> }): string | undefined {
  const wait = explainNoStart(user, clock.now());
  return wait === undefined ? undefined : formatStartDelay(wait);
}

/** Sets aside for a call within every ceiling, unless it could not be over in time or one of them has too little left. */
export function reserveBudget(
  user: ActiveLimits,
  claim: LedgerClaim,
  wanted: CallReserve,
  minutes: number,
): Outcome<LedgerReserve, StartDelay> {
  const { limits, ledger } = user;
  const { ceilings } = limits();
  return ledger.reserve(claim, (sums) => {
    // Within the transaction: a night that is stopped at this moment is either seen here, or sees this call.
    const late = explainNotFor(user, claim.at, minutes);
    if (late !== undefined) return failure(late);
    const night = findNight(ledger.nights(claim.at), claim.at);
    const left = night === undefined ? wanted.minutes : (Date.parse(night.until) - Date.parse(claim.at)) / 60_000;
    const within = { ...wanted, minutes: Math.min(wanted.minutes, left) }; // an estimate may be too short; the end is not
    return allowReserve(within, listBoundsAt(ceilings, night, claim.at), ceilings.call, sums);
  });
}
