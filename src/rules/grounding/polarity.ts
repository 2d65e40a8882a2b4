import { remembered } from '../text/remembered.ts';
import type { Sentence } from '../text/units.ts';
import { STOP_WORDS } from '../text/words.ts';
import type { Word } from '../text/words.ts';
import { OPPOSITES } from './words.ts';

/**
 * Whether a sentence of the context says the opposite of a sentence: both speak of the same, and one denies what the
 * other says, or they differ in one word whose opposite stands in the other.
 */
export function contradicts(said: Sentence, context: Sentence): boolean {
  const [own, other] = [stemsOf(said), stemSetOf(context)];
  if (own.length < SHARED_AT_LEAST || own.filter(({ stem }) => !other.has(stem)).length > 1) return false;
  const [words, others] = [wordsOf(said), wordsOf(context)];
  const turned = OPPOSITES.flatMap(([one, two]) => [
    turn(words, others, one, two),
    turn(words, others, two, one),
  ]).filter((pair) => pair !== undefined);
  const [pair] = turned;
  const missing = own.filter(({ text, stem }) => text !== pair && !other.has(stem));
  if (missing.length > 0) return false;
  const shared = own.map(({ stem }) => stem);
  return (turned.length % 2 === 1) !== (isDenied(said, shared) !== isDenied(context, shared));
}

/** One thing in common is no statement about the same. */
const SHARED_AT_LEAST = 2;

/** The word of the one side that stands opposite to one of the other side, where neither stands on both. */
function turn(
  words: ReadonlySet<string>,
  others: ReadonlySet<string>,
  here: ReadonlySet<string>,
  there: ReadonlySet<string>,
): string | undefined {
  const own = [...here].find((word) => words.has(word));
  const against = [...there].some((word) => others.has(word));
  if (
    own === undefined ||
    !against ||
    [...there].some((word) => words.has(word)) ||
    [...here].some((word) => others.has(word))
  )
    return undefined;
  return own;
}

type Stem = Pick<Word, 'text' | 'stem'>;

/** The words of a sentence that tell something, numbers aside: they are compared by themselves. */
export const stemsOf = (sentence: Sentence): readonly Stem[] => partsOf(sentence).telling;

/** The stems of all its words. */
export const stemSetOf = (sentence: Sentence): ReadonlySet<string> => partsOf(sentence).stems;

const wordsOf = (sentence: Sentence): ReadonlySet<string> => partsOf(sentence).words;

/** One sentence is compared with many. */
const partsOf = remembered(({ words }: Sentence) => ({
  telling: words
    .filter(({ text }) => !STOP_WORDS.has(text) && !/^\d/.test(text))
    .map(({ text, stem }) => ({ text, stem })),
  stems: new Set(words.map(({ stem }) => stem)),
  words: new Set(words.map(({ text }) => text)),
}));

/** Whether a sentence denies what it shares with another. */
const isDenied = ({ words, scopes }: Sentence, shared: readonly string[]): boolean =>
  scopes.some(
    ({ kind, from, to }) =>
      (kind === 'not' || kind === 'avoid') &&
      words.some(({ stem, start }) => shared.includes(stem) && start >= from && start < to),
  );
