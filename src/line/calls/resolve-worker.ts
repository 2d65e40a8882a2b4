import { computeMinimumUsd, SMALLEST_RESERVE_USD, type CallAmounts } from '../../agents/budget/compute-wanted.ts';
import { countDollarsLeft } from '../../agents/budget/usage.ts';
import { getBudget } from '../record/get-budget.ts';
import { getCurrentImplementer } from '../record/implementers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { RoleStation } from '../../base/names.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { estimateTokens, computeWindow } from '../../base/tokens.ts';
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

/** Why a call is not made, and the tokens that it would need where those are what is missing. */
interface TooDear {
  readonly reason: string;
  readonly tokens?: number;
}

/**
 * What may be used on the next call. Where the calls of an agent are free, or held in a window, that is known before; of
 * every other one all that is left is set aside. A call is refused when less is left than `known`, the use of the last
 * calls: it would be cut off, and what it had used would be lost.
 */
export function computeCallReserve(
  record: TaskRecord,
  { billing, hasWindow }: Capabilities,
  prompt: string,
  known?: CallAmounts,
): Outcome<CallAmounts, TooDear> {
  const { usd, tokens, minutes } = getBudget(record);
  const { spent } = record;
  const window = computeWindow(estimateTokens(prompt));
  const needs = hasWindow ? window : Math.max(window, Math.ceil(known?.tokens ?? 0));
  if (tokens !== undefined && spent.tokens + needs > tokens)
    return failure({
      reason: `the next call needs about ${needs} tokens; ${Math.max(0, tokens - spent.tokens)} of ${tokens} are left`,
      tokens: needs,
    });
  if (minutes !== undefined && spent.minutes >= minutes)
    return failure({ reason: `${spent.minutes.toFixed(1)} of ${minutes} minutes of agents' time are used` });
  if (minutes !== undefined && minutes - spent.minutes < (known?.minutes ?? 0))
    return failure({
      reason: `${(minutes - spent.minutes).toFixed(1)} of ${minutes} minutes of agents' time are left; the next call takes about ${(known?.minutes ?? 0).toFixed(1)}`,
    });
  const rest = {
    tokens: tokens === undefined ? undefined : hasWindow ? needs : tokens - spent.tokens,
    minutes: minutes === undefined ? undefined : minutes - spent.minutes,
  };
  if (billing === 'free') return { ok: true, value: { usd: 0, ...rest } };
  if (usd === undefined) return { ok: true, value: { usd: undefined, ...rest } };
  const left = countDollarsLeft(usd, spent.usd);
  const least = computeMinimumUsd(known);
  if (left < least - DUST)
    return failure({
      reason: `$${Math.max(0, left).toFixed(4)} of $${usd.toFixed(2)} is left; the next call ${least > SMALLEST_RESERVE_USD ? `takes about $${least.toFixed(4)}` : `needs at least $${SMALLEST_RESERVE_USD}`}`,
    });
  return { ok: true, value: { usd: left, ...rest } };
}

/**
 * The part of what is left that one of several calls of a round may use, so that the last is as sure of its part as the
 * first; a round that does not fit as a whole is not begun.
 */
export function divideReserve(
  reserve: CallAmounts,
  share: number,
  prompt: string,
  known?: CallAmounts,
): Outcome<CallAmounts, TooDear> {
  const { usd, tokens, minutes } = reserve;
  if (share <= 1) return { ok: true, value: reserve };
  const needs = computeWindow(estimateTokens(prompt)) * share;
  if (tokens !== undefined && tokens < needs)
    return failure({
      reason: `the ${share} calls of this round need about ${needs} tokens; ${tokens} are left`,
      tokens: needs,
    });
  if (usd !== undefined && usd !== 0 && usd / share < computeMinimumUsd(known) - DUST)
    return failure({
      reason: `the ${share} calls of this round need at least $${computeMinimumUsd(known)} each; $${usd.toFixed(4)} is left`,
    });
  return {
    ok: true,
    value: {
      usd: usd === undefined ? undefined : usd / share,
      tokens: tokens === undefined ? undefined : Math.floor(tokens / share),
      minutes: minutes === undefined ? undefined : minutes / share,
    },
  };
}
