import type { ShownFile } from './brief.ts';

/** The important parts of a long file: names of the task, and cited lines. */
export interface Interest {
  readonly words: ReadonlySet<string>;
  readonly lines: readonly number[];
}

/**
 * The most relevant parts of a file for a window too small for it: its start, and the context of cited lines and of
 * names of the task. Omissions are marked in brackets.
 */
export function extractExcerpt({ text }: ShownFile, interest: Interest, bytes: number): string {
  const lines = text.split('\n');
  const worth = worthOf(lines, interest);
  const order = [...worth.keys()]
    .filter((at) => (worth[at] ?? 0) > 0)
    .toSorted((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0) || one - other);
  const kept = new Set<number>();
  let left = bytes - MARKER;
  // Important lines first; then, while there is room, the rest from the start.
  for (const middle of [0, ...order, ...lines.keys()]) {
    if (left < MARKER) break;
    for (const at of around(middle, lines.length)) {
      if (kept.has(at)) continue;
      const cost = size(lines[at] ?? '') + 1 + (kept.has(at - 1) || kept.has(at + 1) ? 0 : MARKER);
      if (cost > left) continue;
      kept.add(at);
      left -= cost;
    }
  }
  return render(lines, kept);
}

/** The names in a text that are worth a search in code. */
export const listSearchWords = (text: string): ReadonlySet<string> =>
  new Set((text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu) ?? []).filter((word) => !COMMON.has(word.toLowerCase())));

/** A line and its context, nearest first. */
function around(middle: number, count: number): readonly number[] {
  const near: number[] = [];
  for (let step = 0; step <= SURROUNDINGS; step += 1)
    for (const at of step === 0 ? [middle] : [middle + step, middle - step]) if (at >= 0 && at < count) near.push(at);
  return near;
}

/** The weight of each line: cited lines most, then names of the task, rare names more than frequent ones. */
function worthOf(lines: readonly string[], { words, lines: cited }: Interest): readonly number[] {
  const named = lines.map((line) => [...listSearchWords(line.slice(0, LOOKED_AT))].filter((word) => words.has(word)));
  const often = new Map<string, number>();
  for (const word of named.flat()) often.set(word, (often.get(word) ?? 0) + 1);
  const isCited = new Set(cited);
  return named.map(
    (found, at) => (isCited.has(at + 1) ? 100 : 0) + found.reduce((sum, word) => sum + 1 / (often.get(word) ?? 1), 0),
  );
}

function render(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let gap: number | undefined;
  const close = (end: number): void => {
    if (gap !== undefined) shown.push(`[lines ${gap + 1} to ${end} are not shown]`);
    gap = undefined;
  };
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) gap ??= at;
    else {
      close(at);
      shown.push(line);
    }
  }
  close(lines.length);
  return shown.join('\n');
}

const size = (line: string): number => new TextEncoder().encode(line).length;

const SURROUNDINGS = 15;
const LOOKED_AT = 400;
const MARKER = '[lines 1000000 to 1000000 are not shown]\n'.length;
const COMMON: ReadonlySet<string> = new Set(
  'this that with from when into must shall should each every only have been were will they them then than there which what your same also more some such lines line file files code change make add'.split(
    ' ',
  ),
);
