import type { Called, HeldEntry, JournalEntry, Started } from '../record/journal-entry.ts';
import type { TaskSpending } from '../record/line-record.ts';
import { toMicroDollars, normaliseUsage } from '../record/usage.ts';

type Interrupted = Extract<JournalEntry, { kind: 'interrupted' }>;

/** The charge of a call; unreported usage is charged as reserved, and counted as unknown. */
export type Charge = TaskSpending;

type Used = Pick<Called, 'usd' | 'tokensIn' | 'tokensOut' | 'ms'>;
type Reserved = Pick<Started, 'reserveUsd' | 'reserveTokens'>;

/** Settles an ended call against its reservation. */
export function chargeCall(used: Used, open: Reserved | undefined): Charge {
  const call = { ...used, ...normaliseUsage(used) }; // older journals contain unchecked figures
  const tokens = call.tokensIn === null || call.tokensOut === null ? null : call.tokensIn + call.tokensOut;
  const atLeast = (call.tokensIn ?? 0) + (call.tokensOut ?? 0);
  return charge(call.usd, tokens, Math.max(atLeast, open?.reserveTokens ?? 0), call.ms / 60_000, open);
}

/**
 * Settles a call whose program was unavailable: its known usage, and no time. If the model was not asked, the usage is
 * zero; a request that was cut off has an unknown cost.
 */
export function chargeHeld({ usd, tokensIn, tokensOut }: HeldEntry): Charge {
  const wasAsked = (tokensIn ?? 0) + (tokensOut ?? 0) > 0;
  return chargeCall(
    { usd: usd ?? (wasAsked ? null : 0), tokensIn: tokensIn ?? 0, tokensOut: tokensOut ?? 0, ms: 0 },
    undefined,
  );
}

/**
 * Settles an interrupted call: its reported usage, else the whole reservation. After a crash of andon its duration is
 * the time until now, at most its limit.
 */
export function chargeInterrupted(entry: Interrupted, open: Started | undefined): Charge {
  const passed = open === undefined ? 0 : Math.max(0, Date.parse(entry.at) - Date.parse(open.at)) / 60_000;
  const minutes = entry.ms === undefined ? Math.min(passed, open?.hardMinutes ?? 0) : entry.ms / 60_000;
  return charge(toMicroDollars(entry.usd), entry.tokens ?? null, open?.reserveTokens ?? 0, minutes, open);
}

function charge(
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
