import { chargeCall } from '../line/charge.ts';
import { failure, success } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import { allow } from '../night/ceilings.ts';
import type { Wanted } from '../night/ceilings.ts';
import { boundsAt, nightAt, whyTooEarly } from '../night/limits.ts';
import type { Wait } from '../night/wait.ts';
import type { Usage } from '../ports/agent.ts';
import type { Ledger, Reserve } from '../ports/ledger.ts';
import { whyNightStopped } from './limits-now.ts';
import type { Limits } from './limits-now.ts';

/** What a call came to, as its program tells it; null = it does not say. */
export interface Came extends Usage {
  readonly ms: number;
}

/** A call that was set aside for. */
export interface TakenCall {
  readonly reserve: Reserve;
  /** Writes down what it came to; without that it counts as it was set aside. */
  readonly came: (used: Came) => void;
  /** Nobody was asked after all: it counts as nothing. */
  readonly unused: () => void;
}

/** How the ledger marks a call that is no step of a line, behind the name of its repository. */
export const OUTSIDE = ' (outside)';

let calls = 0;

/**
 * Sets aside for a call that is no step of a line: no journal tells what became of it, so one whose andon dies counts as it
 * was set aside. `who` says where it was asked for. Hours do not hold what somebody types; ceilings do.
 */
export function takeOutside(
  {
    limits,
    ledger,
    ownNight,
    stopBefore,
  }: Pick<Limits, 'limits' | 'ownNight' | 'stopBefore'> & { readonly ledger: Ledger },
  who: { readonly state: string; readonly station: string },
  wanted: Wanted,
  at: string,
): Outcome<TakenCall, Wait> {
  calls += 1;
  const key = { state: `${who.state}${OUTSIDE}`, task: `${process.pid}`, call: calls, at };
  const { ceilings } = limits();
  const claim = { ...key, station: who.station, account: wanted.account };
  const taken = ledger.reserve<Wait>(claim, (sums) => {
    const night = nightAt(ledger.nights(at), at);
    const why = whyNightStopped({ ledger, ownNight, stopBefore }) ?? whyTooEarly(night, at);
    return why === undefined ? allow(wanted, boundsAt(ceilings, night, at), ceilings.call, sums) : failure(why);
  });
  if (!taken.ok) return failure(taken.why);
  const { usd: reserveUsd, tokens: reserveTokens } = taken.value;
  return success({
    reserve: taken.value,
    came: (used) => ledger.settle(key, chargeCall(used, { reserveUsd, reserveTokens })),
    unused: () => ledger.release(key),
  });
}
