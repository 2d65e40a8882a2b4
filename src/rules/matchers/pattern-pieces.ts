export interface Window {
  readonly start: number;
  readonly end: number;
}

export interface Piece extends Window {
  /** It begins inside a line, because the line is too long to be searched at once. */
  readonly isMidLine: boolean;
  readonly isCut: boolean;
}

/** The surroundings of words in a text in lower case: 2 kB to either side, to the ends of lines where those are near. */
export function windowsAround(lower: string, words: readonly string[]): readonly Window[] {
  const hits = words.flatMap((word) => hitsOf(lower, word)).toSorted((one, other) => one.start - other.start);
  const windows: { start: number; end: number }[] = [];
  for (const hit of hits) {
    const last = windows.at(-1);
    if (last !== undefined && hit.start - REACH <= last.end) last.end = Math.max(last.end, hit.end + REACH);
    else windows.push({ start: hit.start - REACH, end: hit.end + REACH });
  }
  return windows.map(({ start, end }) => ({ start: lineStart(lower, Math.max(0, start)), end: lineEnd(lower, end) }));
}

/** Cuts a part into pieces that are searched one by one; each repeats the last 2 kB of the one before it. */
export function piecesOf(text: string, { start, end }: Window): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = start; ;) {
    const to = end - at <= LARGEST ? end : Math.min(end, lineEnd(text, at + LARGEST - REACH));
    pieces.push({
      start: at,
      end: to,
      isMidLine: at > 0 && text[at - 1] !== '\n',
      isCut: to < text.length && text[to] !== '\n',
    });
    if (to >= end) return pieces;
    at = lineStart(text, to - REACH, at + 1);
  }
}

/** Places of one word, those that are near the last one left out. */
function hitsOf(lower: string, word: string): Window[] {
  const hits: Window[] = [];
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
    const last = hits.at(-1);
    const end = at + word.length;
    if (last !== undefined && at - last.end < REACH) hits[hits.length - 1] = { start: last.start, end };
    else hits.push({ start: at, end });
  }
  return hits;
}

/** The start of a position's line, if it is near and not before `least`. */
function lineStart(text: string, at: number, least = 0): number {
  const begin = Math.max(least, at - REACH);
  const newline = text.slice(begin, at).lastIndexOf('\n');
  if (newline !== -1) return begin + newline + 1;
  return begin === 0 ? 0 : Math.max(least, at);
}

function lineEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const newline = text.slice(at, at + REACH).indexOf('\n');
  if (newline !== -1) return at + newline;
  return at + REACH >= text.length ? text.length : at;
}

/** So far from a word a match may begin or end. */
const REACH = 2048;
const LARGEST = 8192;
