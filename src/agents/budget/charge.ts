import type { ActualUsage, AgentUsage } from '../agent.ts';
import type { SettledCall } from '../ledger.ts';
import { normaliseUsage } from './normalise-usage.ts';

interface Reserved {
  readonly reserveUsd?: number | null | undefined;
  readonly reserveTokens?: number | null | undefined;
}

/** The charge of a call; unreported usage is charged as reserved, and counted as unknown. */
export function chargeCall(used: ActualUsage, open: Reserved | undefined): SettledCall {
  const { usd, tokensIn, tokensOut } = normaliseUsage(used); // older journals contain unchecked figures
  const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
  const atLeast = (tokensIn ?? 0) + (tokensOut ?? 0);
  return chargeFigures(usd, tokens, Math.max(atLeast, open?.reserveTokens ?? 0), used.ms / 60_000, open);
}

export function chargeFigures(
  usd: number | null,
  tokens: number | null,
  reserveTokens: number,
  minutes: number,
  open: Reserved | undefined,
): SettledCall {
  const charged = usd ?? open?.reserveUsd ?? null;
  return {
    usd: charged ?? 0,
    tokens: tokens ?? reserveTokens,
    minutes,
    unknownUsd: charged === null ? 1 : 0,
    unknownTokens: tokens === null ? 1 : 0,
  };
}

/** What a call used whose program was out of reach; of unknown use, what its driver estimates, else nothing. */
export interface HeldUse extends AgentUsage {
  readonly estimate?: { readonly usd: number; readonly tokens: number } | undefined;
}

export function readHeldUse(why: AgentUsage & { readonly estimate?: AgentUsage | undefined }): HeldUse {
  const usage = normaliseUsage(why);
  if (Object.values(usage).every((used) => used !== null)) return usage;
  const { usd, tokensIn, tokensOut } = normaliseUsage(why.estimate ?? why);
  return { ...usage, estimate: { usd: usd ?? 0, tokens: (tokensIn ?? 0) + (tokensOut ?? 0) } };
}

/**
 * The charge of such a call: its known usage, and no time. What is unknown is charged by the estimate and counts as
 * unknown; the reserve, often all that is left, would end the wait.
 */
export function chargeHeld({ usd, tokensIn, tokensOut, estimate }: HeldUse): SettledCall {
  if (estimate !== undefined) {
    const tokens = tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut;
    return {
      usd: usd ?? estimate.usd,
      tokens: tokens ?? estimate.tokens,
      minutes: 0,
      unknownUsd: usd === null ? 1 : 0,
      unknownTokens: tokens === null ? 1 : 0,
    };
  }
  // An older journal without an estimate: no usage meant that no model was asked.
  const wasAsked = (tokensIn ?? 0) + (tokensOut ?? 0) > 0;
  return chargeCall(
    { usd: usd ?? (wasAsked ? null : 0), tokensIn: tokensIn ?? 0, tokensOut: tokensOut ?? 0, ms: 0 },
    undefined,
  );
}
