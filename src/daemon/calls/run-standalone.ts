import { failure } from '../../base/outcome.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../contract/task-contract-defaults.ts';
import type { Brief } from '../../line/stations/brief.ts';
import type { CallOutcome } from '../../ports/agent.ts';
import { normaliseUsage } from '../../record/usage.ts';
import type { Needs } from '../../wiring/services.ts';
import { reserveStandalone, type ReservedCall } from '../../wiring/standalone-call.ts';
import { explainNotFor } from '../../wiring/user-limits.ts';
import { computeWanted } from '../night/claim-call.ts';
import type { Worker } from './resolve-worker.ts';

/** What the reserve of a call that is no step of a line is made from. */
export type StandaloneServices = Needs<
  'clock' | 'ends' | 'ledger' | 'limits' | 'ownNight' | 'stateName' | 'stopBefore'
>;

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
  const wanted = computeWanted({ agent, prompt, usd: undefined, tokens: undefined, minutes });
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
  const result = await agent.run({
    ...call.brief,
    model,
    folder,
    idleMs: Math.min(idleMinutes, limits.idleMinutes ?? idleMinutes) * 60_000,
    hardMs: reserve.minutes * 60_000,
    ...(agent.capabilities.takesBudget && reserve.usd !== null ? { maxUsd: reserve.usd } : {}),
    signal: call.signal,
  });
  const { ms, ...used } = result.ok ? result.value : result.why;
  await settle({ ...normaliseUsage(used), ms });
  return result;
}
