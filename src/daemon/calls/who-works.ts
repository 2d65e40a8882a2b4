import { SMALLEST_RESERVE_USD, ceilings, dollarsLeft } from '../../line/breakers/budget.ts';
import { implementerNow } from '../../record/implementers.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { StationId } from '../../base/names.ts';
import { failure } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { estimateTokens, windowFor } from '../../base/tokens.ts';
import type { Agent, Capabilities } from '../../ports/agent.ts';
import { WORKS_AT } from '../../base/agents.ts';
import type { AgentId } from '../../base/agents.ts';
import type { Services } from '../wiring/services.ts';

/** The program and the model that work at a station. */
export function whoWorks(
  { agents, settings }: Pick<Services, 'agents' | 'settings'>,
  record: LineRecord,
  station: StationId,
): { agent: Agent; model: string } {
  const id = WORKS_AT[station];
  return { agent: agents[id], model: modelFor(settings.agents[id], record, station) };
}

/** The model whose turn it is by the contract; after a strike of its station the one that you named in its place, if any. */
function modelFor(
  { model, fallbacks }: Services['settings']['agents'][AgentId],
  record: LineRecord,
  station: StationId,
): string {
  const { contract, strikes } = record;
  const { roles } = contract;
  if (station === 'judge') return roles.judge === 'claude-code-cli' ? (model ?? '') : roles.judge;
  const named = station === 'implementer' ? implementerNow(record) : roles.localReviewer;
  const hasFailed = strikes.some((strike) => strike.station === station);
  return hasFailed && Object.hasOwn(fallbacks, named) ? (fallbacks[named] ?? named) : named;
}

/** What one call may use of each ceiling; undefined = there is no such ceiling. */
export interface Reserve {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly minutes: number | undefined;
}

/** Why a call is not made, and the tokens that it would need where those are what is missing. */
interface TooDear {
  readonly reason: string;
  readonly tokens?: number;
}

/**
 * What may be used on the next call. Where the calls of an agent are free, or held in a window, that is known before; of
 * every other one all that is left is set aside.
 */
export function reserveFor(
  record: LineRecord,
  { billing, hasWindow }: Capabilities,
  prompt: string,
): Outcome<Reserve, TooDear> {
  const { usd, tokens, minutes } = ceilings(record);
  const { spent } = record;
  const needs = windowFor(estimateTokens(prompt));
  if (tokens !== undefined && spent.tokens + needs > tokens)
    return failure({
      reason: `the next call needs about ${needs} tokens; ${Math.max(0, tokens - spent.tokens)} of ${tokens} are left`,
      tokens: needs,
    });
  if (minutes !== undefined && spent.minutes >= minutes)
    return failure({ reason: `${spent.minutes.toFixed(1)} of ${minutes} minutes of agents' time are used` });
  const rest = {
    tokens: tokens === undefined ? undefined : hasWindow ? needs : tokens - spent.tokens,
    minutes: minutes === undefined ? undefined : minutes - spent.minutes,
  };
  if (billing === 'free') return { ok: true, value: { usd: 0, ...rest } };
  if (usd === undefined) return { ok: true, value: { usd: undefined, ...rest } };
  const left = dollarsLeft(usd, spent.usd);
  if (left < SMALLEST_RESERVE_USD)
    return failure({
      reason: `$${Math.max(0, left).toFixed(4)} of $${usd.toFixed(2)} is left; the next call needs at least $${SMALLEST_RESERVE_USD}`,
    });
  return { ok: true, value: { usd: left, ...rest } };
}
