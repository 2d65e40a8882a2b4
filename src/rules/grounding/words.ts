import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import data from './grounding-words.json' with { type: 'json' };

const wordsOfRow = z.string().transform((row): ReadonlySet<string> => new Set(row.split(' ')));
const values = z
  .record(z.string(), z.number())
  .transform((row): ReadonlyMap<string, number> => new Map(Object.entries(row)));

const WORDS = loadTable(
  'src/rules/grounding/grounding-words.json',
  z.strictObject({
    numbers: values.describe('words that are a number wherever they stand'),
    context_numbers: values.describe('words that a context may mean as a number'),
    units: z.record(z.string(), values).describe('dimensions, each with its units and what they come to'),
    file_endings: wordsOfRow,
    no_identifiers: z.array(z.string()),
  }),
  data,
);

export const {
  /** Numbers written as words. */
  numbers: NUMBER_WORDS,
  /** Words that are no claim of a number, and hold one. */
  context_numbers: VAGUE_NUMBERS,
  /** What a file's name may end in. */
  file_endings: FILE_ENDINGS,
} = WORDS;

/** Words that are written like an identifier but are not. */
export const NO_IDENTIFIERS: ReadonlySet<string> = new Set(WORDS.no_identifiers);

/** A unit: what is measured, and what one of it comes to in the smallest unit of that. */
export interface Measure {
  readonly of: string;
  readonly factor: number;
}

/** The units by every way of writing them, in lower case. */
export const UNITS: ReadonlyMap<string, Measure> = new Map(
  Object.entries(WORDS.units).flatMap(([of, units]) =>
    [...units].map(([unit, factor]) => [unit, { of, factor }] as const),
  ),
);
