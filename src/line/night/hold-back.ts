import { isJudgedOutside } from '../core/find-outside-wait.ts';
import { estimateStepMinutes, estimateCallMinutes } from '../core/step-minutes.ts';
import { STATION_AT, type StationId } from '../../base/names.ts';
import type { StartDelay } from '../../agents/budget/ceilings.ts';
import { waitWhilePaused } from './pause.ts';
import { Stopped } from '../journal/stopped.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import type { Needs, NightServices } from '../services/services.ts';
import { readPastTimes } from './past-tasks.ts';
import { explainNotFor, reserveBudget } from '../../agents/budget/user-limits.ts';
import { computeReserve, type CallToReserve } from '../../agents/budget/compute-reserve.ts';
import type { CallKey, LedgerReserve } from '../../agents/ledger.ts';

/** A wait is checked again this often: other daemons settle, and nights end by hand. */
const LOOK_MS = 5000;

/** Lets a step begin when it can end in time by its own limits. Short steps begin at any time. */
export async function holdStep(services: NightServices, log: StepJournal, signal: AbortSignal): Promise<void> {
  const station = STATION_AT[log.record.status];
  if (
    station === undefined ||
    station === 'floor-manager' ||
    (station === 'judge' && isJudgedOutside(log.record, services.settings))
  )
    return;
  const minutes = estimateStepMinutes(log.record, services.settings, readPastTimes(services.journal));
  if (minutes === undefined) return;
  await holdBack(services, log, station, signal, (at) => explainNotFor(services, at, minutes));
}

/** Waits, visibly, while `ask` returns a reason; it is called again whenever that may have changed. */
export async function holdBack(
  services: Needs<'bell' | 'clock' | 'handoff' | 'journal' | 'nudge'>,
  log: StepJournal,
  station: StationId,
  signal: AbortSignal,
  ask: (at: string) => StartDelay | undefined,
): Promise<void> {
  for (;;) {
    const at = services.clock.now();
    const wait = ask(at);
    if (wait === undefined) {
      if (log.record.hold?.own !== undefined) log.note({ kind: 'released', at });
      return;
    }
    noteHold(log, station, at, wait);
    const next = new Date(Date.parse(at) + LOOK_MS).toISOString();
    await waitUntilOrNudged(services, wait.until !== null && wait.until < next ? wait.until : next, signal);
    if (signal.aborted) throw new Stopped();
    await waitWhilePaused(services, signal);
  }
}

/** Waits for a time, or until a person skips the wait. */
export async function waitUntilOrNudged(
  { clock, nudge }: Needs<'clock' | 'nudge'>,
  at: string,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  await Promise.race([clock.until(at, either), nudge.next(either)]);
  over.abort();
}

/** Records a wait when it begins or changes its kind or end, not at every amount. */
function noteHold(log: StepJournal, station: StationId, at: string, { own, reason, until }: StartDelay): void {
  const { hold, callCount: call } = log.record;
  if (hold?.own === own && hold.until === until) return;
  const nothing = { usd: 0, tokensIn: 0, tokensOut: 0, ms: 0 };
  log.note({ kind: 'held', at, station, call, agent: 'andon', reason, until, own, ...nothing });
}

/** A call as its task wants it, before the limits of the user. */
export interface CallClaim extends CallToReserve {
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
    const granted = reserveBudget(services, { ...key, station, account: agent.id }, computeReserve(claim), until);
    if (!granted.ok) return granted.why;
    claimed = { ...granted.value, key };
    return undefined;
  });
  if (claimed === undefined) throw new Error('a call was let through without a reserve');
  return claimed;
}

/** Prepares a call and writes that it begins; on a failure the reserve is released, and the call is not made. */
export async function beginCall(
  services: Needs<'ledger'>,
  { key }: Claimed,
  begin: () => Promise<void>,
): Promise<void> {
  try {
    await begin();
  } catch (error) {
    try {
      services.ledger.release(key);
    } catch {
      // The reserve counts until the next start, which finds no such call in the journal.
    }
    throw error;
  }
}
