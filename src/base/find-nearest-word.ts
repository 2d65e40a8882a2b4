import { closest, distance } from 'fastest-levenshtein';

/** The known word that a mistyped one most likely means: one fault in three letters, or two letters swapped. */
export function findNearestWord(written: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const word = written.slice(0, 80).toLowerCase();
  const nearest = closest(word, known);
  const faults = distance(word, nearest.toLowerCase());
  const most = hasSameLetters(word, nearest.toLowerCase()) ? 2 : Math.floor(nearest.length / 3);
  return faults <= most ? nearest : undefined;
}

const hasSameLetters = (one: string, other: string): boolean =>
  one.split('').toSorted().join('') === other.split('').toSorted().join('');
