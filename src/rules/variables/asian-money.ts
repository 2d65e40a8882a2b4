import { asianNumber, asianNumberBefore } from './asian-number.ts';
import { CURRENCIES } from './currencies.ts';

/** A sum of money in a text; `value` is negative where a minus stands right before it. */
export interface Money {
  readonly value: number;
  /** By its code (USD); a dollar sign alone is taken for USD. */
  readonly currency: string;
  readonly start: number;
  readonly end: number;
}

/** Sums of money as Korean, Chinese and Japanese write them, where the currency stands behind the number and no blank parts the words. */
export function asianMoney(text: string): readonly Money[] {
  const found: Money[] = [];
  for (const { 0: name, index } of text.matchAll(NAMES)) {
    const written = asianNumberBefore(text, index);
    const value = written === '' ? undefined : asianNumber(written);
    if (value === undefined) continue;
    const start = text.lastIndexOf(written, index);
    const isNegative = /(?:^|[^\d\p{L}])[-\u2212]$/u.test(text.slice(Math.max(0, start - 2), start));
    found.push({
      value: isNegative ? -value : value,
      currency: CURRENCIES.asian[name] ?? '',
      start,
      end: index + name.length,
    });
  }
  return found;
}

/** Longest first, so that 美元 is not read as 元. */
const NAMES = new RegExp(
  Object.keys(CURRENCIES.asian)
    .toSorted((one, other) => other.length - one.length)
    .join('|'),
  'gu',
);
