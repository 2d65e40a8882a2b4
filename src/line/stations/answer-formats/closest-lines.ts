/** The lines of a file closest to a text that was not found, as `12 | line`, with an introduction. */
export function findClosestLines(file: readonly string[], search: readonly string[]): string {
  const wanted = search.slice(0, COMPARED_LINES).map((line) => line.trim().slice(0, COMPARED));
  const candidates = file.slice(0, SEARCHED).map((line) => line.trim().slice(0, COMPARED));
  let best = { at: 0, score: 0 };
  for (let at = 0; at < candidates.length; at += 1) {
    let score = 0;
    for (const [offset, line] of wanted.entries()) score += likeness(candidates[at + offset] ?? '', line);
    if (score > best.score) best = { at, score };
  }
  if (best.score === 0) return 'nothing in it is like it, so look the lines up and repeat them exactly.';
  const shown = numbered(file, best.at, best.at + Math.min(SHOWN, search.length));
  return ['repeat the lines exactly, the closest ones are:', ...shown].join('\n');
}

/** The places of a repeated text, each with its distinguishing lines. */
export function showSurroundings(file: readonly string[], length: number, places: readonly number[]): string {
  const shown = places.slice(0, PLACES).map((at) => {
    const end = at + Math.min(length, SHOWN / 2);
    return numbered(file, Math.max(0, at - BESIDE), Math.min(file.length, end + BESIDE)).join('\n');
  });
  return [...shown, ...(places.length > PLACES ? [`and ${String(places.length - PLACES)} more`] : [])].join('\n--\n');
}

const numbered = (file: readonly string[], from: number, to: number): readonly string[] =>
  file.slice(from, to).map((line, offset) => `${String(from + offset + 1)} | ${line.slice(0, COMPARED)}`);

/** From 0 to 1: the common share of two lines at their start and end. */
function likeness(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  return (head + tail) / Math.max(left.length, right.length);
}

/** Limits of the search: lines compared, lines shown, lines searched, characters of each. */
const COMPARED_LINES = 12;
const SHOWN = 24;
const SEARCHED = 20_000;
const COMPARED = 200;
/** Places shown of a repeated text, and context lines of each. */
const PLACES = 4;
const BESIDE = 2;
