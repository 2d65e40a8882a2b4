import { readWords, type Word } from './words.ts';

/** Phrases by the stem of their first word, longest first. */
export type PhraseIndex<Value> = ReadonlyMap<string, readonly Phrase<Value>[]>;

interface Phrase<Value> {
  readonly stems: readonly string[];
  readonly values: Value[];
}

export interface PhraseHit<Value> {
  readonly values: readonly Value[];
  readonly from: number;
  readonly to: number;
}

/** Files phrases under their first stem, so that looking for all of them costs one step per word. */
export function phraseIndex<Value>(
  entries: Iterable<readonly [phrase: string, value: Value]>,
  keyOf: (word: Word) => string = ({ stem }) => stem,
): PhraseIndex<Value> {
  const index = new Map<string, Phrase<Value>[]>();
  for (const [phrase, value] of entries) {
    const stems = readWords(phrase).map(keyOf);
    const [first] = stems;
    if (first === undefined) continue;
    const filed = index.get(first) ?? [];
    index.set(first, filed);
    const same = filed.find((one) => one.stems.join(' ') === stems.join(' '));
    if (same === undefined) filed.push({ stems, values: [value] });
    else same.values.push(value);
  }
  for (const filed of index.values()) filed.sort((one, other) => other.stems.length - one.stems.length);
  return index;
}

/** Every phrase in a text, from the left, the longest first, none inside another. */
export function findPhrases<Value>(index: PhraseIndex<Value>, words: readonly Word[]): readonly PhraseHit<Value>[] {
  const hits: PhraseHit<Value>[] = [];
  for (let at = 0; at < words.length;) {
    const hit = longestAt(index, words, at);
    if (hit !== undefined) hits.push(hit);
    at = hit?.to ?? at + 1;
  }
  return hits;
}

function longestAt<Value>(index: PhraseIndex<Value>, words: readonly Word[], at: number): PhraseHit<Value> | undefined {
  const found = index.get(words[at]?.stem ?? '')?.find(({ stems }) => isAt(stems, words, at));
  return found === undefined ? undefined : { values: found.values, from: at, to: at + found.stems.length };
}

const isAt = (stems: readonly string[], words: readonly Word[], from: number): boolean =>
  stems.every((stem, part) => {
    const word = words[from + part];
    return word?.stem === stem && (part === 0 || !breaks(word));
  });

/** A phrase does not reach over the end of a clause. */
const breaks = ({ gap }: Word): boolean => /[,.;!?]\s|\n|[、。，；：！？]/u.test(gap);
