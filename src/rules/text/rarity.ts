import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import data from './rarity.json' with { type: 'json' };

/** How much an English stem tells, 0 (in every text) to 8 (in hardly any): the natural logarithm of its inverse document frequency. */
export function rarityOf(stem: string): number {
  return RARITY.get(stem) ?? UNKNOWN_RARITY;
}

/** The rarity of a word that the reference does not know. */
const UNKNOWN_RARITY = 8;

/**
 * By their stems, words of the same whole natural logarithm of (paragraphs ÷ paragraphs with the word). Counted once
 * over 15,000 paragraphs of the documentation of some 400 packages, and shipped, so that a score never depends on which
 * other rules or plans are at hand.
 */
const RARITY: ReadonlyMap<string, number> = new Map(
  tableOf(
    'src/rules/text/rarity.json',
    z.array(z.strictObject({ rarity: z.number().min(0).max(UNKNOWN_RARITY), stems: z.array(z.string().min(1)) })),
    data,
  ).flatMap(({ rarity, stems }) => stems.flatMap((line) => line.split(' ').map((stem) => [stem, rarity] as const))),
);
