import { closest, distance } from 'fastest-levenshtein';

/** The known word nearest to a mistyped one; undefined when none is near. */
export function findNearestWord(written: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const word = written.slice(0, 80).toLowerCase();
  const nearest = closest(word, known);
  return distance(word, nearest.toLowerCase()) <= Math.max(2, nearest.length / 3) ? nearest : undefined;
}
