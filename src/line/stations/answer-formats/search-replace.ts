import { failure, success, type Outcome } from '../../../base/outcome.ts';
import { STARS } from '../../../base/known-secrets.ts';
import { malformedAnswer, type Block, type UnreadableAnswer } from './answer.ts';

export const isBlockStart = (line: string): boolean => /^<{5,9} ?SEARCH\s*$/.test(line.slice(0, 100));

/** Parses the block that opens at line `at`; its content is literal, fences included. `next` is the line after it. */
export function readBlock(
  lines: readonly string[],
  at: number,
  path: string,
): Outcome<{ readonly block: Block; readonly next: number }, UnreadableAnswer> {
  let end = at + 1;
  while (end < lines.length && !closesBlock(lines[end] ?? '')) end += 1;
  if (end === lines.length)
    return malformedAnswer(`The answer was cut off: a SEARCH block for ${path} has no \`>>>>>>> REPLACE\`.`);
  const inner = lines.slice(at + 1, end);
  if (inner.some(isBlockStart))
    return malformedAnswer(`A SEARCH block for ${path} opens inside another one; close each first.`);
  const divider = inner.findIndex(divides);
  if (divider === -1) return malformedAnswer(`A SEARCH block for ${path} has no \`=======\` between its two texts.`);
  if (inner.slice(divider + 1).some(divides)) {
    return malformedAnswer(`A SEARCH block for ${path} has more than one \`=======\`; give that file whole.`);
  }
  const block = { search: text(inner.slice(0, divider)), replace: text(inner.slice(divider + 1)) };
  return success({ block, next: end + 1 });
}

interface Place {
  readonly block: Block;
  readonly at: number;
  readonly length: number;
  readonly replace: string;
}

/** A block without a unique place; `detail` shows the closest lines and a remedy. */
interface Miss {
  readonly block: Block;
  readonly detail: string;
}

/** The places of all blocks in a file, in order; or every unmatched block. Matching is exact. */
export function locateBlocks(
  file: readonly string[],
  blocks: readonly Block[],
): Outcome<readonly Place[], readonly Miss[]> {
  const places: Place[] = [];
  const misses: Miss[] = [];
  for (const [number, block] of blocks.entries()) {
    const name = blocks.length === 1 ? 'The SEARCH text' : `SEARCH text ${String(number + 1)}`;
    const wanted = wantedLines(block);
    const found = block.search === '' ? [] : occurrences(file, wanted);
    const [at] = found;
    if (at !== undefined && found.length === 1)
      places.push({ block, at, length: wanted.length, replace: block.replace });
    else
      misses.push({ block, detail: `${name} ${explainMiss(block, file, wanted, found, misses.length < EXPLAINED)}` });
  }
  places.sort((one, other) => one.at - other.at);
  for (const [number, place] of places.entries()) {
    const before = places[number - 1];
    if (before === undefined || before.at + before.length <= place.at) continue;
    const detail = `Two SEARCH texts overlap at line ${String(place.at + 1)}; make them one block.`;
    // Neither is taken: an answer that merges them must be able to repeat both.
    for (const { block } of [before, place])
      if (!misses.some((miss) => miss.block === block)) misses.push({ block, detail });
  }
  return misses.length > 0 ? failure(misses) : success(places);
}

const wantedLines = ({ search }: Block): readonly string[] => toLines(search);

const toLines = (text: string): readonly string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);

function explainMiss(
  { search, replace }: Block,
  file: readonly string[],
  wanted: readonly string[],
  found: readonly number[],
  isExplained: boolean,
): string {
  if (search === '') return 'is empty; repeat the lines that are to be replaced.';
  if (found.length > 0)
    return `is in the file ${String(found.length)} times; add lines around it until it is unique.${isExplained ? `\n${showSurroundings(file, wanted.length, found)}` : ''}`;
  if (replace.trim() !== '' && occurrences(file, toLines(replace)).length > 0)
    return 'is not in the file, but the text that replaces it is; leave this block out.';
  const hint = search.includes(STARS) ? ` (if ${STARS} stands for a masked value, leave that line out)` : '';
  return `is not in the file${hint}; ${isExplained ? findClosestLines(file, wanted) : 'repeat the lines exactly.'}`;
}

/** The lines at which a text of whole lines begins, in linear time (Knuth, Morris, Pratt). */
function occurrences(file: readonly string[], search: readonly string[]): readonly number[] {
  const fallback = borders(search);
  const found: number[] = [];
  let matched = 0;
  for (const [at, line] of file.entries()) {
    while (matched > 0 && (matched === search.length || search[matched] !== line)) matched = fallback[matched - 1] ?? 0;
    if (search[matched] === line) matched += 1;
    if (matched === search.length) found.push(at - search.length + 1);
  }
  return found;
}

/** The failure function: for each prefix, the length of its longest border. */
function borders(search: readonly string[]): readonly number[] {
  const lengths = [0];
  for (let at = 1, length = 0; at < search.length; at += 1) {
    while (length > 0 && search[length] !== search[at]) length = lengths[length - 1] ?? 0;
    if (search[length] === search[at]) length += 1;
    lengths.push(length);
  }
  return lengths;
}

const closesBlock = (line: string): boolean => /^>{5,9} ?REPLACE\s*$/.test(line.slice(0, 100));

const divides = (line: string): boolean => line.trimEnd() === '=======';

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The most misses with closest lines shown; an answer with more is not worth the time. */
const EXPLAINED = 10;

/** The lines of a file closest to a text that was not found, as `12 | line`, with an introduction. */
function findClosestLines(file: readonly string[], search: readonly string[]): string {
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
  return ['repeat the lines exactly.', 'The closest ones are:', ...shown].join('\n');
}

function showSurroundings(file: readonly string[], length: number, places: readonly number[]): string {
  const shown = places.slice(0, PLACES).map((at) => {
    const end = at + Math.min(length, SHOWN / 2);
    return numbered(file, Math.max(0, at - BESIDE), Math.min(file.length, end + BESIDE)).join('\n');
  });
  return [...shown, ...(places.length > PLACES ? [`and ${String(places.length - PLACES)} more`] : [])].join('\n--\n');
}

const numbered = (file: readonly string[], from: number, to: number): readonly string[] =>
  file.slice(from, to).map((line, offset) => `${String(from + offset + 1)} | ${line.slice(0, COMPARED)}`);

/** From 0 to 1: the common share of two lines at their start and end; much where one is a long part of the other. */
function likeness(left: string, right: string): number {
  if (left === right) return left === '' ? 0 : 1;
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const isPart = shorter >= PART && (left.includes(right) || right.includes(left));
  return Math.max((head + tail) / Math.max(left.length, right.length), isPart ? 0.8 : 0);
}

/** Limits of the search: lines compared, lines shown, lines searched, characters of each. */
const COMPARED_LINES = 12;

const SHOWN = 24;

const SEARCHED = 20_000;

const COMPARED = 200;

/** A shorter part is in many lines. */
const PART = 8;

/** Places shown of a repeated text, and context lines of each. */
const PLACES = 4;

const BESIDE = 2;
