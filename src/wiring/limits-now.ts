import { allow, whyNothingLeft } from '../night/ceilings.ts';
import type { Wanted } from '../night/ceilings.ts';
import { boundsAt, nightAt, whyNotNow } from '../night/limits.ts';
import { closedInWords } from '../night/wait.ts';
import type { Wait } from '../night/wait.ts';
import { failure } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import type { UserLimits } from '../config/user-limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Claim, Ledger, Reserve } from '../ports/ledger.ts';

/** The user's limits as they are now, and the ledger that they are held against. */
export interface Limits {
  readonly limits: () => UserLimits;
  readonly ledger: Pick<Ledger, 'nights' | 'sums' | 'reserve'>;
  /** When this andon ends; undefined = when somebody ends it. */
  readonly ends?: string | undefined;
}

/** Why what takes so many minutes at most does not begin now; undefined when it may. */
export const whyNotFor = ({ limits, ledger, ends }: Limits, at: string, minutes: number): Wait | undefined =>
  whyNotNow({ hours: limits().hours, night: nightAt(ledger.nights(at), at), ends }, at, minutes);

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
  const late = whyNotFor(user, claim.at, minutes);
  if (late !== undefined) return failure(late);
  const { ceilings } = limits();
  const bounds = boundsAt(ceilings, nightAt(ledger.nights(claim.at), claim.at), claim.at);
  return ledger.reserve(claim, (sums) => allow(wanted, bounds, ceilings.call, sums));
}
