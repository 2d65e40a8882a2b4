import { diffArrays } from 'diff/lib/diff/array.js'; // the whole package is three times as large
import type { DiffRow } from '../../base/read-diff.ts';

/** Removed rows beside the added rows in their place. */
export interface RowPair {
  readonly old: DiffRow | undefined;
  readonly fresh: DiffRow | undefined;
}

/** Parts of a text: offsets of characters. */
export type Ranges = readonly (readonly [start: number, end: number])[];

/** Longer lines are cut, as in minified files. */
export const WIDTH = 600;

/** Rows or words with more differences are not compared: a page must not wait for hostile ones. */
const MOST_EDITS = 40;

/** The rows, with removed and added ones side by side; any other row is on both sides. */
export function pairRows(rows: readonly DiffRow[]): readonly (DiffRow | RowPair)[] {
  const found: (DiffRow | RowPair)[] = [];
  let at = 0;
  const takeAll = (kind: DiffRow['kind']): readonly DiffRow[] => {
    const start = at;
    while (rows[at]?.kind === kind) at += 1;
    return rows.slice(start, at);
  };
  while (at < rows.length) {
    // A note says of the row above it that no line break follows.
    const [removed, note, added] = [takeAll('removed'), takeAll('note'), takeAll('added')];
    found.push(...align(removed, added), ...note);
    if (removed.length + note.length + added.length > 0) continue;
    found.push(...rows.slice(at, at + 1));
    at += 1;
  }
  return found;
}

/** Rows are versions of each other that share this part of their words. */
const LEAST_LIKENESS = 0.4;

/** Puts rows beside each other that are versions of each other, in order; the rows between them as they come. */
function align(removed: readonly DiffRow[], added: readonly DiffRow[]): readonly RowPair[] {
  const pairs: RowPair[] = [];
  let [old, fresh] = [0, 0];
  const take = (oldEnd: number, freshEnd: number): void => {
    while (old < oldEnd || fresh < freshEnd)
      pairs.push({
        old: old < oldEnd ? removed[old++] : undefined,
        fresh: fresh < freshEnd ? added[fresh++] : undefined,
      });
  };
  let [oldEnd, freshEnd] = [0, 0];
  for (const part of findVersions(removed, added)) {
    const isSame = !part.removed && !part.added;
    if (isSame) take(oldEnd, freshEnd);
    if (!part.added) oldEnd += part.count;
    if (!part.removed) freshEnd += part.count;
    if (isSame) take(oldEnd, freshEnd);
  }
  take(removed.length, added.length);
  return pairs;
}

const findVersions = (removed: readonly DiffRow[], added: readonly DiffRow[]) =>
  diffArrays(
    removed.map(({ text }) => setOfWords(text)),
    added.map(({ text }) => setOfWords(text)),
    { comparator: areVersions, maxEditLength: MOST_EDITS },
  ) ?? [];

/** Of the beginning: enough to recognise a line. */
const setOfWords = (text: string): ReadonlySet<string> => new Set(text.slice(0, 200).match(/[\p{L}\p{N}_]+/gu));

const areVersions = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].filter((word) => others.has(word)).length >= LEAST_LIKENESS * Math.max(1, some.size, others.size);

/** The words in which each of two texts differs from the other: none where they are no versions of each other. */
export function findChangedWords(old: string, fresh: string): readonly [old: Ranges, fresh: Ranges] {
  if (!areVersions(setOfWords(old), setOfWords(fresh))) return [[], []];
  const [olds, freshs] = [new RangeList(old), new RangeList(fresh)];
  for (const { value, added, removed } of diffArrays(listWords(old), listWords(fresh), { maxEditLength: MOST_EDITS }) ??
    []) {
    const { length } = value.join('');
    if (!added) olds.add(length, removed);
    if (!removed) freshs.add(length, added);
  }
  return [olds.ranges, freshs.ranges];
}

const listWords = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];

/** Ranges with nothing but blanks between them are one. */
class RangeList {
  readonly ranges: (readonly [start: number, end: number])[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  add(length: number, isMarked: boolean): void {
    const end = this.#at + length;
    if (isMarked) {
      const last = this.ranges.at(-1);
      const isNear = last !== undefined && this.#text.slice(last[1], this.#at).trim() === '';
      if (isNear) this.ranges.pop();
      this.ranges.push([isNear ? last[0] : this.#at, end]);
    }
    this.#at = end;
  }
}
