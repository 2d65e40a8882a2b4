import { computeMinimumUsd } from '../../line/breakers/budget.ts';
import { type CallUse } from '../../line/past-calls.ts';
import { estimateCallMinutes } from '../../line/step-minutes.ts';
import { estimateTokens, computeWindow } from '../../base/tokens.ts';
import type { StationId } from '../../base/names.ts';
import type { WantedReserve } from '../../night/ceilings.ts';
import type { Agent } from '../../ports/agent.ts';
import type { CallKey, LedgerReserve } from '../../ports/ledger.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import type { Needs, NightServices } from '../../wiring/services.ts';
import { holdBack } from './hold-back.ts';
import { reserveBudget } from '../../wiring/user-limits.ts';
import { readPastTimes } from './past-tasks.ts';

/** A call as its task wants it, before the limits of the user. */
export interface CallClaim {
  readonly station: StationId;
  readonly agent: Pick<Agent, 'id' | 'capabilities'>;
  readonly prompt: string;
  /** The rest of the task's budget; undefined = no limit. */
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly minutes: number;
  /** The usage of the last such calls: with less it is not begun. */
  readonly known?: CallUse | undefined;
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

/** The reserve that a call of an agent wants. */
export function computeWanted({
  agent,
  prompt,
  usd,
  tokens,
  minutes,
  known,
}: Omit<CallClaim, 'station'>): WantedReserve {
  const { billing, hasWindow, prices } = agent.capabilities;
  const needs = estimateTokens(prompt);
  const window = hasWindow ? computeWindow(needs) : undefined;
  return {
    account: agent.id,
    isFree: billing === 'free',
    usd: most(window, prices, usd),
    tokens,
    window,
    minutes,
    least: {
      usd: computeMinimumUsd(known),
      tokens: window ?? Math.max(needs, Math.ceil(known?.tokens ?? 0)),
      minutes: Math.min(Math.max(1, known?.minutes ?? 0), minutes),
    },
  };
}

/** At most the cost of its whole window at the higher price, where both are known. */
function most(
  window: number | undefined,
  prices: Agent['capabilities']['prices'],
  usd: number | undefined,
): number | undefined {
  if (window === undefined || prices === undefined) return usd;
  return Math.min(usd ?? Number.POSITIVE_INFINITY, (window * Math.max(prices.in, prices.out)) / 1_000_000);
}
