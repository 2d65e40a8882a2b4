import { z } from 'zod';
import { tableOf } from '../../base/table.ts';
import type { Sentence } from './prose.ts';
import { eachFeature } from './sentence-features.ts';
import { tokensOf } from './tokens.ts';
import data from './words/second-opinion.json' with { type: 'json' };

/** One question that was learned: what speaks for a yes, what against it, and how much. */
export interface Head {
  /** What is added for every text, and for one that shows code, output or a diff. */
  readonly bias: number;
  readonly shown: number;
  /** By feature. */
  readonly weights: ReadonlyMap<number, number>;
}

/** How a text reads: the odds of a yes as their natural logarithm, and what each sentence adds to them. */
export interface Reading {
  readonly isOpinion: boolean;
  readonly odds: number;
  readonly bySentence: readonly number[];
}

/**
 * Holds the sentences of a text against a head. A long text is no surer than a short one: sentences and features count by
 * their root. Of a text in which little is known, in another language say, there is no opinion, and the odds are 0.
 */
export function read({ bias, shown, weights }: Head, sentences: readonly Sentence[], shows: boolean): Reading {
  if (weights.size === 0) return { isOpinion: false, odds: 0, bySentence: [] };
  const worded = sentences.map(({ text }) => tokensOf(text).length > 0);
  const root = Math.sqrt(Math.max(1, worded.filter(Boolean).length));
  let [known, seen] = [0, 0];
  const bySentence = sentences.map(({ text }, at) => {
    if (worded[at] !== true) return 0;
    const before = seen;
    let sum = 0;
    eachFeature(text, (feature) => {
      const weight = weights.get(feature);
      seen += 1;
      if (weight === undefined) return;
      known += 1;
      sum += weight;
    });
    return sum / Math.sqrt(seen - before) / root;
  });
  const isOpinion = seen > 0 && known >= seen * LEAST_KNOWN;
  const odds = isOpinion ? bySentence.reduce((sum, one) => sum + one, bias + (shows ? shown : 0)) : 0;
  return { isOpinion, odds, bySentence };
}

/** Of what is read in English, Korean and Chinese a third is known at least; of German, Italian or Japanese hardly so much. */
const LEAST_KNOWN = 0.3;

/** Knows nothing, and so has no opinion of anything. */
export const NO_OPINION: Head = { bias: 0, shown: 0, weights: new Map() };

/** What the odds that were learned and the vote of the rules come to: whether a text is refused, and whether that is sure. */
export interface Decision {
  readonly isRefused: boolean;
  readonly isSure: boolean;
}

/**
 * Refuses a text against which both together speak, and lets pass what is hardly refused: an honest one costs more. A vote
 * of the rules is how much more often than not a text was rightly refused of which they said the same, in batches with
 * which neither they nor the heads were made.
 */
export function decide(odds: number, vote: number): Decision {
  const both = odds + vote;
  return { isRefused: both > HARDLY, isSure: Math.abs(both) > HARDLY };
}

const HARDLY = 0.2;

/** The odds that two things hold that know nothing of each other. */
export function bothOdds(one: number, other: number): number {
  const chance = 1 / (1 + Math.exp(-one)) / (1 + Math.exp(-other));
  return Math.log(chance / (1 - chance));
}

/** Whether a message says nothing; whether a text approves of a change; whether it does not show that the change was checked. */
export type Question = 'empty' | 'approves' | 'bare';

/** The head of a question, read from the table when it is first asked for. */
export function headOf(question: Question): Head {
  const known = heads.get(question);
  if (known !== undefined) return known;
  const { bias, shown, weights } = table()[question];
  const entries = Object.entries(weights).flatMap(([weight, features]) =>
    features.split(' ').map((feature) => [parseInt(feature, 36), Number(weight) * UNIT] as const),
  );
  const head = { bias, shown, weights: new Map(entries) };
  heads.set(question, head);
  return head;
}

const heads = new Map<Question, Head>();
/** What a weight of 1 in the table adds. */
export const UNIT = 0.1;

const table = (): z.output<typeof TABLE> => tableOf('src/rules/guards/words/second-opinion.json', TABLE, data);
const HEAD = z.strictObject({
  bias: z.number(),
  shown: z.number(),
  weights: z.record(z.string().regex(/^-?\d+$/), z.string().min(1)).describe('features by their weight, to base 36'),
});
const TABLE = z.strictObject({
  rows: z.string().describe('what it was learned from, as a hash: `npm run teach` writes both'),
  empty: HEAD,
  approves: HEAD,
  bare: HEAD,
});
