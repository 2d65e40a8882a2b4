import type { Cost } from '../../core/cost.ts';
import { formatCount } from '../../../base/format-count.ts';
import type { BudgetUse, UsedAmount } from '../../digest/digest.ts';
import type { TaskRecord } from '../../record/task-record.ts';

/** A time span in its two largest units: `0.4 s`, `12 min 4 s`, `3 h 5 min`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return two(seconds, 60, 'min', 's');
  const minutes = Math.round(seconds / 60);
  return minutes < 1440 ? two(minutes, 60, 'h', 'min') : two(Math.round(minutes / 60), 24, 'd', 'h');
}

function two(count: number, of: number, big: string, small: string): string {
  const rest = count % of;
  return `${Math.floor(count / of)} ${big}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** Milliseconds between two moments of the journal; never negative, for wall clocks may be set back. */
export const millisecondsBetween = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

/** Dollars and cents; four decimals where it is less than a cent. */
export const formatDollars = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;

/** `2026-01-16 12:00:04 UTC`. */
export const formatMoment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/** `once`, `twice`, `3 times`. */
export const formatTimes = (number: number): string =>
  number === 1 ? 'once' : number === 2 ? 'twice' : `${number} times`;

/** `a`, `a and b`, `a, b and c`. */
export const formatList = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** `+3 −1`, `binary, added`; a modified file is the usual case. */
export const formatFileChange = (change: string, added: number | null, deleted: number | null): string =>
  `${added === null || deleted === null ? 'binary' : `+${added} −${deleted}`}${change === 'modified' ? '' : `, ${change}`}`;

/** Reported dollars; a lower bound where a call did not report its own. */
export const formatPaid = ({ usd, unpriced }: Pick<Cost, 'usd' | 'unpriced'>): string =>
  `${unpriced > 0 ? 'at least ' : ''}${formatDollars(usd)}`;

/** An abbreviated commit or tree. */
export const shortId = (id: string): string => id.slice(0, 12);

/** `12,296`: figures of more than three digits in groups. */
export const formatNumber = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Tokens of calls; those that some did not report are unknown, never zero. */
export function formatTokens(known: number, unreported: number): string {
  if (unreported === 0) return `${formatNumber(known)} tokens`;
  return `${known > 0 ? `at least ${formatNumber(known)}` : 'unknown'} tokens (${formatCount(unreported, 'call')} did not say)`;
}

/** The tokens of a task. Its charge has reserves for what was not reported, which are no usage. */
export function formatSpentTokens({ spent, calls }: Pick<TaskRecord, 'spent' | 'calls'>): string {
  const known = calls.reduce((total, { tokensIn, tokensOut }) => total + (tokensIn ?? 0) + (tokensOut ?? 0), 0);
  return formatTokens(spent.unknownTokens === 0 ? spent.tokens : known, spent.unknownTokens);
}

/** The same for a table: tokens of prompts and of answers. */
export function formatBothTokens(tokensIn: number, tokensOut: number, unreported: number): string {
  if (unreported > 0 && tokensIn + tokensOut === 0) return 'unknown tokens';
  return `${unreported > 0 ? 'at least ' : ''}${tokensIn} + ${tokensOut} tokens`;
}

const AMOUNTS = {
  usd: formatDollars,
  tokens: formatNumber,
  minutes: (value: number): string => String(Math.round(value * 10) / 10),
} as const;

/** `$0.0400 of $1.00`; a sum with an unknown part is a marked lower bound. */
export function formatBudgetUse({ of, used, at_least: least, limit }: BudgetUse): string {
  const show = AMOUNTS[of];
  const spent = used === null ? (least > 0 ? `at least ${show(least)}` : 'unknown') : show(used);
  return `${spent} of ${show(limit)}${of === 'usd' ? '' : ` ${of}`}`;
}

/** Dollars; calls of unknown price are named, never counted as zero. */
export function formatPrice({ usd, usd_known: known, calls_without_price: unknown }: UsedAmount): string {
  if (usd !== null) return formatDollars(usd);
  const of = `${formatCount(unknown, 'call')} of unknown price`;
  return known > 0 ? `${formatDollars(known)} and ${of}` : of;
}
