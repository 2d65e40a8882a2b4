import { failure, success, type Outcome } from '../../base/outcome.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../project/contract/task-contract-defaults.ts';
import { chargeCall, chargeHeld, readHeldUse, type HeldUse } from '../budget/charge.ts';
import type { Brief, ActualUsage, CallOutcome } from '../agent.ts';
import { allowReserve, type StartDelay, type CallReserve } from '../budget/ceilings.ts';
import { explainTooEarly, findNight, listBoundsAt } from '../budget/night-facts.ts';
import type { Ledger, LedgerReserve } from '../ledger.ts';
import { normaliseUsage } from '../budget/normalise-usage.ts';
import type { Clock } from '../../base/clock.ts';
import { explainNotFor, explainStoppedNight, type ActiveLimits } from '../budget/user-limits.ts';
import { computeReserve } from '../budget/compute-reserve.ts';
import type { Worker } from './resolve-driver.ts';
import { runAgent } from './run-agent.ts';

/** A reserved call. */
export interface ReservedCall {
  readonly reserve: LedgerReserve;
  /** Records what it used; without that it counts as it was reserved. */
  readonly settle: (used: EndedUse) => void | Promise<void>;
  /** No call was made, so nothing is charged. */
  readonly release: () => void;
}

/** `isHeld`: its program was out of reach. */
type EndedUse = ActualUsage & Pick<HeldUse, 'estimate'> & { readonly isHeld?: boolean };

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
  wanted: CallReserve,
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
    settle: (used) =>
      ledger.settle(key, used.isHeld === true ? chargeHeld(used) : chargeCall(used, { reserveUsd, reserveTokens })),
    release: () => ledger.release(key),
  });
}

/** What the reserve of a call that is no step of a line is made from. */
export interface StandaloneServices extends ActiveLimits {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly stateName: string;
}

interface StandaloneCall {
  /** The name of the work in the ledger. */
  readonly station: string;
  readonly prompt: string;
  /** The longest that it may take; the profile of the worker may say less. */
  readonly minutes: number;
  /** A person waits at a terminal: hours and the end of a night do not hold it, ceilings do. */
  readonly isTyped: boolean;
}

/** Reserves a call that is no step of a line, or returns what holds it. */
export function reserveCall(
  services: StandaloneServices,
  { agent, limits }: Worker,
  { station, prompt, minutes: longest, isTyped }: StandaloneCall,
): ReturnType<typeof reserveStandalone> {
  const at = services.clock.now();
  const minutes = Math.min(longest, limits.hardMinutes ?? longest);
  const late = isTyped ? undefined : explainNotFor(services, at, minutes);
  if (late !== undefined) return failure(late);
  const wanted = computeReserve({ agent, prompt, usd: undefined, tokens: undefined, minutes });
  return reserveStandalone(services, { state: services.stateName, station }, wanted, at);
}

/**
 * Runs a reserved call in the folder that is made for it, and settles it. Without a folder no call is made, and nothing
 * is charged. The answer is not trusted.
 */
export async function runReserved(
  { agent, model, limits }: Worker,
  { reserve, settle, release }: ReservedCall,
  call: {
    readonly brief: Brief;
    readonly idleMinutes?: number;
    readonly makeFolder: () => Promise<string> | string;
    readonly signal: AbortSignal;
  },
): Promise<CallOutcome> {
  let folder: string;
  try {
    folder = await call.makeFolder();
  } catch (error) {
    release();
    throw error;
  }
  const { idleMinutes = DEFAULT_CONTRACT_LIMITS.timeoutMinutes } = call;
  const result = await runAgent({ agent, model }, reserve, {
    brief: call.brief,
    folder,
    idleMinutes: Math.min(idleMinutes, limits.idleMinutes ?? idleMinutes),
    signal: call.signal,
  });
  const isHeld = !result.ok && result.why.kind === 'unavailable';
  const { ms, ...used } = result.ok ? result.value : result.why;
  await settle({ ...(isHeld ? readHeldUse(result.why) : normaliseUsage(used)), ms, isHeld });
  return result;
}
