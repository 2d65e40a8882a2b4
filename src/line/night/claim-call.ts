import { estimateCallMinutes } from '../core/step-minutes.ts';
import type { StationId } from '../../base/names.ts';
import { computeWanted, type WantedCall } from '../../agents/budget/compute-wanted.ts';
import type { CallKey, LedgerReserve } from '../../agents/ledger.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import type { Needs, NightServices } from '../services/services.ts';
import { holdBack } from './hold-back.ts';
import { reserveBudget } from '../../agents/budget/user-limits.ts';
import { readPastTimes } from './past-tasks.ts';

/** A call as its task wants it, before the limits of the user. */
export interface CallClaim extends WantedCall {
  readonly station: StationId;
}

/** The reserve of a call, and the key by which it is settled. */
export interface Claimed extends LedgerReserve {
  readonly key: CallKey;
}

/** Reserves budget for a call in the user's ledger; waits, visibly, for hours and ceilings. */
export async function claimCall(
  services: NightServices & Needs<'stateName'>,
  log: StepJournal,
  claim: CallClaim,
  signal: AbortSignal,
): Promise<Claimed> {
  const { station, agent, minutes } = claim;
  const task = log.record.taskId;
  const until = estimateCallMinutes(
    log.record,
    services.settings,
    { station, minutes },
    readPastTimes(services.journal),
  );
  let claimed: Claimed | undefined;
  await holdBack(services, log, station, signal, (at) => {
    const key = { state: services.stateName, task, call: log.record.callCount + 1, at };
    const granted = reserveBudget(services, { ...key, station, account: agent.id }, computeWanted(claim), until);
    if (!granted.ok) return granted.why;
    claimed = { ...granted.value, key };
    return undefined;
  });
  if (claimed === undefined) throw new Error('a call was let through without a reserve');
  return claimed;
}

/** Writes that a call begins; on a failure the reserve is released, and the call is not made. */
export function beginCall(services: Needs<'ledger'>, { key }: Claimed, write: () => void): void {
  try {
    write();
  } catch (error) {
    try {
      services.ledger.release(key);
    } catch {
      // The reserve counts until the next start, which finds no such call in the journal.
    }
    throw error;
  }
}
