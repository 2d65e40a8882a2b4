import { readWords, type Word } from './words.ts';

/** Phrases by the stem of their first word, longest first; `~` in a phrase matches up to three words. */
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

/** Files phrases (`a b`, `c ~ d`) under their first stem, so that looking for all of them costs one step per word. */
export function phraseIndex<Value>(
  entries: Iterable<readonly [phrase: string, value: Value]>,
  keyOf: (word: Word) => string = ({ stem }) => stem,
): PhraseIndex<Value> {
  const index = new Map<string, Phrase<Value>[]>();
  for (const [phrase, value] of entries) {
    const stems = phrase.split('~').flatMap((part, at) => [...(at > 0 ? [GAP] : []), ...readWords(part).map(keyOf)]);
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

const GAP = '~';
const LONGEST_GAP = 3;

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
  for (const { stems, values } of index.get(words[at]?.stem ?? '') ?? []) {
    const to = endOf(stems, words, at);
    if (to !== undefined) return { values, from: at, to };
  }
  return undefined;
}

function endOf(stems: readonly string[], words: readonly Word[], from: number): number | undefined {
  let at = from;
  for (let part = 0; part < stems.length; part += 1) {
    if (stems[part] === GAP) {
      const next = stems[part + 1];
      const found = words.slice(at, at + LONGEST_GAP + 1).findIndex(({ stem }) => stem === next);
      if (found === -1 || words.slice(at, at + found + 1).some(breaks)) return undefined;
      at += found;
      continue;
    }
    const word = words[at];
    if (word === undefined || word.stem !== stems[part] || (part > 0 && breaks(word))) return undefined;
    at += 1;
  }
  return at;
}

/** A phrase does not reach over the end of a clause. */
const breaks = ({ gap }: Word): boolean => /[,.;!?]\s|\n|[、。，；：！？]/u.test(gap);
