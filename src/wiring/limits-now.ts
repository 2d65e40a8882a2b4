import { allow, whyNothingLeft } from '../night/ceilings.ts';
import type { Wanted } from '../night/ceilings.ts';
import { boundsAt, nightAt, whyNotNow, whyNightStops } from '../night/limits.ts';
import type { Watching } from '../night/limits.ts';
import { closedInWords } from '../night/wait.ts';
import type { Wait } from '../night/wait.ts';
import { failure } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import type { UserLimits } from '../config/user-limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Claim, Ledger, Reserve } from '../ports/ledger.ts';

/** The user's limits as they are now, and the ledger that they are held against. */
export interface Limits extends Watching {
  readonly limits: () => UserLimits;
  readonly ledger: Pick<Ledger, 'nights' | 'lastNight' | 'sums' | 'reserve'>;
  /** When this andon ends; undefined = when somebody ends it. */
  readonly ends?: string | undefined;
}

/** Why nothing is paid after a night that was ended early; undefined when it may, or such a night concerns nobody here. */
export const whyNightStopped = ({
  ledger,
  ownNight,
  stopBefore,
}: Watching & { readonly ledger: Pick<Ledger, 'lastNight'> }): Wait | undefined =>
  ownNight === undefined && stopBefore === undefined
    ? undefined
    : whyNightStops(ledger.lastNight(), { ownNight, stopBefore });

/** Why what takes so many minutes at most does not begin now; undefined when it may. */
export const whyNotFor = (user: Limits, at: string, minutes: number): Wait | undefined =>
  whyNightStopped(user) ??
  whyNotNow({ hours: user.limits().hours, night: nightAt(user.ledger.nights(at), at), ends: user.ends }, at, minutes);

/** Why nothing new begins now, whatever it is; undefined when something may. */
export function whyNothingBegins(user: Limits, at: string): Wait | undefined {
  const { limits, ledger } = user;
  const bounds = boundsAt(limits().ceilings, nightAt(ledger.nights(at), at), at);
  return whyNotFor(user, at, 0) ?? whyNothingLeft(bounds, (over) => ledger.sums(over));
}

/** The same in words, at this moment. */
export function whyClosed({ clock, ...user }: Limits & { readonly clock: Pick<Clock, 'now'> }): string | undefined {
  const wait = whyNothingBegins(user, clock.now());
  return wait === undefined ? undefined : closedInWords(wait);
}

/** Sets aside for a call within every ceiling, unless it could not be over in time or one of them has too little left. */
export function setAside(user: Limits, claim: Claim, wanted: Wanted, minutes: number): Outcome<Reserve, Wait> {
  const { limits, ledger } = user;
  const { ceilings } = limits();
  return ledger.reserve(claim, (sums) => {
    // Within the transaction: a night that is stopped at this moment is either seen here, or sees this call.
    const late = whyNotFor(user, claim.at, minutes);
    if (late !== undefined) return failure(late);
    const night = nightAt(ledger.nights(claim.at), claim.at);
    const left = night === undefined ? wanted.minutes : (Date.parse(night.until) - Date.parse(claim.at)) / 60_000;
    const within = { ...wanted, minutes: Math.min(wanted.minutes, left) }; // an estimate may be too short; the end is not
    return allow(within, boundsAt(ceilings, night, claim.at), ceilings.call, sums);
  });
}
