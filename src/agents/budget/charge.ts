import type { ActualUsage } from '../agent.ts';
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
