import type { Sentence } from '../text/units.ts';
import { STOP_WORDS } from '../text/words.ts';
import { OPPOSITES } from './words.ts';

/**
 * Whether a sentence of the context says the opposite of a sentence: both speak of the same, and one denies what the
 * other says, or they differ in one word whose opposite stands in the other.
 */
export function contradicts(said: Sentence, context: Sentence): boolean {
  const [own, other] = [stemsOf(said), stemsOf(context)];
  const [words, others] = [wordsOf(said), wordsOf(context)];
  const turned = OPPOSITES.flatMap(([one, two]) => [
    turn(words, others, one, two),
    turn(words, others, two, one),
  ]).filter((pair) => pair !== undefined);
  const [pair] = turned;
  const missing = own.filter(({ text, stem }) => text !== pair && !other.some((word) => word.stem === stem));
  if (missing.length > 0 || own.length < SHARED_AT_LEAST) return false;
  return (
    (turned.length % 2 === 1) !==
    (isDenied(
      said,
      own.map(({ stem }) => stem),
    ) !==
      isDenied(
        context,
        own.map(({ stem }) => stem),
      ))
  );
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

interface Stem {
  readonly text: string;
  readonly stem: string;
}

/** The words of a sentence that tell something, numbers aside: they are compared by themselves. */
export const stemsOf = ({ words }: Sentence): readonly Stem[] =>
  words.filter(({ text }) => !STOP_WORDS.has(text) && !/^\d/.test(text)).map(({ text, stem }) => ({ text, stem }));

const wordsOf = ({ words }: Sentence): ReadonlySet<string> => new Set(words.map(({ text }) => text));

/** Whether a sentence denies what it shares with another. */
const isDenied = ({ words, scopes }: Sentence, shared: readonly string[]): boolean =>
  scopes.some(
    ({ kind, from, to }) =>
      (kind === 'not' || kind === 'avoid') &&
      words.some(({ stem, start }) => shared.includes(stem) && start >= from && start < to),
  );
