import { computeWindow, estimateTokens } from '../../base/estimate-tokens.ts';
import type { Agent } from '../agent.ts';
import type { CallReserve } from './ceilings.ts';

/** What a call has used, or may use; undefined = unknown, or without a limit. */
export interface CallAmounts {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly minutes: number | undefined;
}

/** A budget with less money left pays for no call: the cheapest review costs more. */
export const SMALLEST_RESERVE_USD = 0.01;
/** Calls differ: a raise adds a quarter to the last usage. */
export const RAISE_MARGIN = 1.25;

/** The dollars without which a call is not begun: the usage of the last ones, and at least a cent. */
export const computeMinimumUsd = (known: { readonly usd: number | undefined } | undefined): number =>
  Math.max(SMALLEST_RESERVE_USD, known?.usd ?? 0);

/** A call as its caller wants it, before the limits of the user. */
export interface CallToReserve {
  readonly agent: Pick<Agent, 'id' | 'capabilities'>;
  readonly prompt: string;
  /** The rest of the budget; undefined = no limit. */
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly minutes: number;
  /** The usage of the last such calls: with less it is not begun. */
  readonly known?: CallAmounts | undefined;
}

/** The reserve that a call of an agent wants. */
export function computeReserve({ agent, prompt, usd, tokens, minutes, known }: CallToReserve): CallReserve {
  const { billing, hasWindow, prices } = agent.capabilities;
  const needs = estimateTokens(prompt);
  const window = hasWindow ? computeWindow(needs) : undefined;
  return {
    account: agent.id,
    isFree: billing === 'free',
    usd: computeMaximumUsd(window, prices, usd),
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
function computeMaximumUsd(
  window: number | undefined,
  prices: Agent['capabilities']['prices'],
  usd: number | undefined,
): number | undefined {
  if (window === undefined || prices === undefined) return usd;
  return Math.min(usd ?? Number.POSITIVE_INFINITY, (window * Math.max(prices.in, prices.out)) / 1_000_000);
}
