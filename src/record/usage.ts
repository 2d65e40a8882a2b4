/** What a program says it has used, as it may go into the ledger; what cannot be true is unknown, never zero, never endless. */
interface KnownUsage {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly usd: number | null;
}

/** Dollars that no single call can cost; a larger figure is a fault of whoever reports it. */
const MOST_USD = 100_000;
/** Tokens that no single call can take: a thousand times the largest window there is. */
const MOST_TOKENS = 10_000_000_000;
/** Money is kept in millionths of a dollar, so that sums of it stay exact. */
const PARTS = 1_000_000;

/** The figures of one call, each by itself: a false one does not spoil the others. */
export const knownUsage = (said: { readonly [key in keyof KnownUsage]: unknown }): KnownUsage => ({
  tokensIn: tokens(said.tokensIn),
  tokensOut: tokens(said.tokensOut),
  usd: dollars(said.usd),
});

/** Dollars in whole millionths; null for whatever is no amount that a call can have cost. */
export const dollars = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MOST_USD ? inMillionths(value) : null;

const tokens = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MOST_TOKENS ? Math.round(value) : null;

/** A sum of money without the dust of binary fractions: 0.1 + 0.2 is 0.3. */
export const inMillionths = (usd: number): number => Math.round(usd * PARTS) / PARTS;
