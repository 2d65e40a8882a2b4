import type { AgentUsage } from '../agent.ts';

/** More dollars than a call can cost; a larger figure is a fault of the report. */
const MOST_USD = 100_000;
/** More tokens than a call can use: a thousand times the largest window. */
const MOST_TOKENS = 10_000_000_000;
/** Money is kept in millionths of a dollar, so that sums stay exact. */
const PARTS = 1_000_000;

/** The usage that a program reports, for the ledger: impossible figures become unknown, never zero. */
export const normaliseUsage = (reported: { readonly [key in keyof AgentUsage]: unknown }): AgentUsage => ({
  tokensIn: tokens(reported.tokensIn),
  tokensOut: tokens(reported.tokensOut),
  usd: toMicroDollars(reported.usd),
});

/** Dollars in whole millionths; null for an impossible amount. */
export const toMicroDollars = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MOST_USD ? roundToMicros(value) : null;

const tokens = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MOST_TOKENS ? Math.round(value) : null;

/** Rounds away binary fractions: 0.1 + 0.2 is 0.3. */
export const roundToMicros = (usd: number): number => micros(usd) / PARTS;

/** The exact sum, never rounded. */
export const formatDollarsExactly = (usd: number): string =>
  `$${micros(usd) % 1e4 === 0 ? usd.toFixed(2) : String(roundToMicros(usd))}`;

/** What is left of a budget in dollars, in whole millionths: sums of fractions are inexact. */
export const countDollarsLeft = (usd: number, spent: number): number => (micros(usd) - micros(spent)) / PARTS;

/** Dollars up to the next cent. */
export const ceilToCents = (usd: number): number => Math.ceil(micros(usd) / 1e4) / 100;

const micros = (usd: number): number => Math.round(usd * PARTS);
