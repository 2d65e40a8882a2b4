import { failure, success, type Outcome } from '../../../base/outcome.ts';
import { malformedAnswer, type Block, type UnreadableAnswer } from './answer.ts';
import { findClosestLines, showSurroundings } from './closest-lines.ts';

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

/** A block's place in a file, and its replacement. */
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
    else misses.push({ block, detail: `${name} ${whyNot(block, file, wanted, found, misses.length < EXPLAINED)}` });
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

const wantedLines = ({ search }: Block): readonly string[] => search.replace(/\r?\n$/, '').split(/\r?\n/);

function whyNot(
  { search }: Block,
  file: readonly string[],
  wanted: readonly string[],
  found: readonly number[],
  isExplained: boolean,
): string {
  if (search === '') return 'is empty; repeat the lines that are to be replaced.';
  if (found.length > 0)
    return `is in the file ${String(found.length)} times; add lines around it until it is unique.${isExplained ? `\n${showSurroundings(file, wanted.length, found)}` : ''}`;
  return `is not in the file; ${isExplained ? findClosestLines(file, wanted) : 'repeat the lines exactly.'}`;
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
