import { computeMinimumUsd, SMALLEST_RESERVE_USD, type CallAmounts } from '../../agents/budget/compute-reserve.ts';
import { countDollarsLeft, formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { getBudget } from '../record/get-budget.ts';
import { getCurrentImplementer } from '../record/implementers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { RoleStation } from '../../base/names.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { estimateTokens, computeWindow } from '../../base/estimate-tokens.ts';
import type { Capabilities } from '../../agents/agent.ts';
import { findProfile, type AgentProfile } from '../../project/config/agent-profiles.ts';
import type { Needs } from '../services/services.ts';
import { resolveByName, type Worker } from '../../agents/calls/resolve-driver.ts';

/**
 * The program and the model that work at a station: those of the profile that the contract names there, else the model
 * of that name in the program that usually works there.
 */
export function resolveWorker(
  { agents, settings, profiles }: Needs<'agents' | 'settings' | 'profiles'>,
  record: TaskRecord,
  station: RoleStation,
  /** One of several at the station; else the one whose turn it is. */
  name = nameAt(record, station),
): Worker {
  return resolveByName({ agents, settings, profiles }, station, name);
}

/** What the profile that works at a station says for the expressions of rules (`vars`); nothing where none works there. */
export const getProfileVariables = (
  { profiles }: Needs<'profiles'>,
  record: TaskRecord,
  station: RoleStation,
): AgentProfile['vars'] => findProfile(profiles, nameAt(record, station)).found?.vars ?? {};

/** The name that the contract gives to who works at a station now. */
function nameAt(record: TaskRecord, station: RoleStation): string {
  const { roles } = record.contract;
  return { implementer: getCurrentImplementer(record), 'local-reviewer': roles.localReviewer, judge: roles.judge }[
    station
  ];
}

/** Sums of fractions of a dollar are not exact. */
const DUST = 1e-6;

/** Why a call is not made, the part of the budget that it does not fit into, and the tokens that it would need of that. */
interface TooDear {
  readonly reason: string;
  readonly part: keyof CallAmounts;
  readonly tokens?: number;
}

/**
 * What may be used on the next call. Where the calls of an agent are free, or held in a window, that is known before; of
 * every other one all that is left is set aside. A call is refused when less is left than `known`, the use of the last
 * calls: it would be cut off, and what it had used would be lost. Of `share` calls of a round each has the same part, so
 * that the last is as sure of it as the first; a round that does not fit as a whole is not begun.
 */
export function computeCallReserve(
  record: TaskRecord,
  { billing, hasWindow }: Capabilities,
  prompt: string,
  known?: CallAmounts,
  share = 1,
): Outcome<CallAmounts, TooDear> {
  const { usd, tokens, minutes } = getBudget(record);
  const { spent } = record;
  const round = `the ${share} calls of this round need`;
  const window = computeWindow(estimateTokens(prompt));
  const each = hasWindow ? window : Math.max(window, Math.ceil(known?.tokens ?? 0));
  if (tokens !== undefined && spent.tokens + each * share > tokens)
    return failure({
      part: 'tokens',
      reason: `${share === 1 ? 'the next call needs' : round} about ${each * share} tokens; ${Math.max(0, tokens - spent.tokens)} of ${tokens} are left`,
      tokens: each * share,
    });
  if (minutes !== undefined && spent.minutes >= minutes)
    return failure({
      part: 'minutes',
      reason: `${spent.minutes.toFixed(1)} of ${minutes} minutes of agents' time are used`,
    });
  const eachMinutes = known?.minutes ?? 0;
  if (minutes !== undefined && (minutes - spent.minutes) / share < eachMinutes)
    return failure({
      part: 'minutes',
      reason: `${(minutes - spent.minutes).toFixed(1)} of ${minutes} minutes of agents' time are left; ${share === 1 ? 'the next call takes' : round} about ${eachMinutes.toFixed(1)}${share === 1 ? '' : ' each'}`,
    });
  const rest = {
    tokens: tokens === undefined ? undefined : hasWindow ? each : Math.floor((tokens - spent.tokens) / share),
    minutes: minutes === undefined ? undefined : (minutes - spent.minutes) / share,
  };
  if (billing === 'free') return { ok: true, value: { usd: 0, ...rest } };
  if (usd === undefined) return { ok: true, value: { usd: undefined, ...rest } };
  const left = countDollarsLeft(usd, spent.usd);
  const least = computeMinimumUsd(known);
  if (left / share < least - DUST) {
    const needs =
      least > SMALLEST_RESERVE_USD ? `takes about $${least.toFixed(4)}` : `needs at least $${SMALLEST_RESERVE_USD}`;
    return failure({
      part: 'usd',
      reason: `$${Math.max(0, left).toFixed(4)} of ${formatDollarsExactly(usd)} is left; ${share === 1 ? `the next call ${needs}` : `${round} at least $${least} each`}`,
    });
  }
  return { ok: true, value: { usd: left / share, ...rest } };
}
