import type { SettledCall } from '../ledger.ts';
import { normaliseUsage } from './usage.ts';

/** The charge of a call; unreported usage is charged as reserved, and counted as unknown. */
export type Charge = SettledCall;

interface Used {
  readonly usd: number | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly ms: number;
}

interface Reserved {
  readonly reserveUsd?: number | null | undefined;
  readonly reserveTokens?: number | null | undefined;
}

export function chargeCall(used: Used, open: Reserved | undefined): Charge {
  const call = { ...used, ...normaliseUsage(used) }; // older journals contain unchecked figures
  const tokens = call.tokensIn === null || call.tokensOut === null ? null : call.tokensIn + call.tokensOut;
  const atLeast = (call.tokensIn ?? 0) + (call.tokensOut ?? 0);
  return chargeFigures(call.usd, tokens, Math.max(atLeast, open?.reserveTokens ?? 0), call.ms / 60_000, open);
}

export function chargeFigures(
  usd: number | null,
  tokens: number | null,
  reserveTokens: number,
  minutes: number,
  open: Reserved | undefined,
): Charge {
  const charged = usd ?? open?.reserveUsd ?? null;
  return {
    usd: charged ?? 0,
    tokens: tokens ?? reserveTokens,
    minutes,
    unknownUsd: charged === null ? 1 : 0,
    unknownTokens: tokens === null ? 1 : 0,
  };
}
