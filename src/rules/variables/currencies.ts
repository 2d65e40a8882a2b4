import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import data from './currencies.json' with { type: 'json' };

const byName = z.record(z.string(), z.string());

/** How sums of money are written: signs, codes and words of currencies, and words that multiply. A `cent` is a hundredth. */
export const CURRENCIES = tableOf(
  'src/rules/variables/currencies.json',
  z.strictObject({
    symbols: byName,
    before_symbol: byName,
    codes: z.array(z.string()),
    codes_in_any_case: z.array(z.string()),
    prefix_words: byName,
    suffix_words: byName,
    between: z.array(z.string()),
    asian: byName,
    scales: z.record(z.string(), z.number()),
    stop_parts_thousands: z.array(z.string()),
  }),
  data,
);

const CODES = new Set(CURRENCIES.codes);
const LOOSE_CODES = new Set(CURRENCIES.codes_in_any_case);

/** What a table says of a word; inherited names say nothing. */
export const entryOf = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The currency of a code: in capitals, or in any case where it is no other word. */
export function currencyOfCode(word: string): string | undefined {
  if (CODES.has(word)) return word;
  const upper = word.toUpperCase();
  return LOOSE_CODES.has(upper) ? upper : undefined;
}
