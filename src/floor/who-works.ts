import { SMALLEST_RESERVE_USD, ceilings, dollarsLeft } from '../breakers/budget.ts';
import type { LineRecord } from '../formats/line-record.ts';
import type { StationId } from '../formats/names.ts';
import { failure } from '../formats/outcome.ts';
import type { Outcome } from '../formats/outcome.ts';
import { estimateTokens, windowFor } from '../formats/tokens.ts';
import type { Agent } from '../ports/agent.ts';
import type { World } from './world.ts';

/** The program and the model that work at a station. */
export function whoWorks(world: World, record: LineRecord, station: StationId): { agent: Agent; model: string } {
  const { contract } = record;
  const { ollama, claude } = world.agents;
  switch (station) {
    case 'implementer':
      return { agent: ollama, model: modelFor(world, record, station, contract.roles.implementer) };
    case 'local-reviewer':
      return { agent: ollama, model: modelFor(world, record, station, contract.roles.localReviewer) };
    case 'judge':
      return {
        agent: claude,
        model:
          contract.roles.judge === 'claude-code-cli'
            ? (world.settings.agents.claude.model ?? '')
            : contract.roles.judge,
      };
  }
}

/** The model that a contract names; after a strike of its station the one that you named in its place, if any. */
function modelFor(world: World, { strikes }: LineRecord, station: StationId, named: string): string {
  const { fallbacks } = world.settings.agents.ollama;
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
 * What may be used on the next call. A local model costs no money, and its tokens are those of a window that holds prompt
 * and answer; what a judge will use is not known before, so all that is left is set aside.
 */
export function reserveFor(record: LineRecord, { id }: Pick<Agent, 'id'>, prompt: string): Outcome<Reserve, TooDear> {
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
    tokens: tokens === undefined ? undefined : id === 'claude' ? tokens - spent.tokens : needs,
    minutes: minutes === undefined ? undefined : minutes - spent.minutes,
  };
  if (id !== 'claude' || usd === undefined)
    return { ok: true, value: { usd: id === 'claude' ? undefined : 0, ...rest } };
  const left = dollarsLeft(usd, spent.usd);
  if (left < SMALLEST_RESERVE_USD)
    return failure({
      reason: `$${Math.max(0, left).toFixed(4)} of $${usd.toFixed(2)} is left; the judge needs at least $${SMALLEST_RESERVE_USD}`,
    });
  return { ok: true, value: { usd: left, ...rest } };
}
