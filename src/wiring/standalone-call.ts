import { chargeCall } from '../line/cost.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';
import { allowReserve, type WantedReserve, type StartDelay } from '../night/ceilings.ts';
import { listBoundsAt, findNight, explainTooEarly } from '../night/limits.ts';
import type { AgentUsage } from '../ports/agent.ts';
import type { Ledger, LedgerReserve } from '../ports/ledger.ts';
import { explainStoppedNight, type ActiveLimits } from './user-limits.ts';

/** What a call used, as its program reports it; null = unknown. */
export interface ActualUsage extends AgentUsage {
  readonly ms: number;
}

/** A reserved call. */
export interface ReservedCall {
  readonly reserve: LedgerReserve;
  /** Records what it used; without that it counts as it was reserved. */
  readonly settle: (used: ActualUsage) => void | Promise<void>;
  /** No call was made, so nothing is charged. */
  readonly release: () => void;
}

/** How the ledger marks a call that is no step of a line, behind the name of its repository. */
export const OUTSIDE = ' (outside)';

let calls = 0;

/**
 * Reserves a call that is no step of a line. No journal records its end, so it counts as it was reserved where andon
 * dies. `who` names the command. Only ceilings hold it, not hours.
 */
export function reserveStandalone(
  {
    limits,
    ledger,
    ownNight,
    stopBefore,
  }: Pick<ActiveLimits, 'limits' | 'ownNight' | 'stopBefore'> & { readonly ledger: Ledger },
  who: { readonly state: string; readonly station: string },
  wanted: WantedReserve,
  at: string,
): Outcome<ReservedCall, StartDelay> {
  calls += 1;
  const key = { state: `${who.state}${OUTSIDE}`, task: `${process.pid}`, call: calls, at };
  const { ceilings } = limits();
  const claim = { ...key, station: who.station, account: wanted.account };
  const taken = ledger.reserve<StartDelay>(claim, (sums) => {
    const night = findNight(ledger.nights(at), at);
    const why = explainStoppedNight({ ledger, ownNight, stopBefore }) ?? explainTooEarly(night, at);
    return why === undefined
      ? allowReserve(wanted, listBoundsAt(ceilings, night, at), ceilings.call, sums)
      : failure(why);
  });
  if (!taken.ok) return failure(taken.why);
  const { usd: reserveUsd, tokens: reserveTokens } = taken.value;
  return success({
    reserve: taken.value,
    settle: (used) => ledger.settle(key, chargeCall(used, { reserveUsd, reserveTokens })),
    release: () => ledger.release(key),
  });
}
