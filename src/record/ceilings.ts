import type { LineRecord } from './line-record.ts';

/** The current ceilings, grants included; undefined = none. */
export function listCeilings(record: LineRecord): {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly minutes: number | undefined;
} {
  const { usd, tokens, minutes } = record.contract.limits.budget;
  return {
    usd: usd === undefined ? undefined : usd + record.grants.usd,
    tokens: tokens === undefined ? undefined : tokens + record.grants.tokens,
    minutes: minutes === undefined ? undefined : minutes + record.grants.minutes,
  };
}

/** What is left of a ceiling of dollars, in whole millionths: sums of fractions are inexact. */
export const countDollarsLeft = (usd: number, spent: number): number => (micros(usd) - micros(spent)) / 1e6;

/** Dollars in whole millionths. */
export const micros = (usd: number): number => Math.round(usd * 1e6);
