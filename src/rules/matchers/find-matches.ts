import { lowered, type Haystack } from '../../base/haystack.ts';
import type { CompiledPattern, MatchSpan } from '../../base/pattern.ts';

/**
 * Work that is counted instead of timed, so that the same input always comes out the same: one step is one character
 * seen by an automaton, or one instruction of a pattern tried; some 20 ns.
 */
export class StepBudget {
  private left: number;
  private readonly whole: StepBudget | undefined;

  constructor(steps: number = MOST_STEPS, whole?: StepBudget) {
    this.left = steps;
    this.whole = whole;
  }

  /** Notes work that was done; false once more was done than is allowed. */
  spend(steps: number): boolean {
    this.whole?.spend(steps);
    this.left -= steps;
    return this.left > 0;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** A share of what is left, at most `steps`, for one rule; what it spends is spent here as well. */
  share(steps: number = MOST_STEPS_OF_ONE_RULE): StepBudget {
    return new StepBudget(Math.min(steps, this.left), this);
  }
}

/** All rules together on one subject: some 2 s. */
const MOST_STEPS = 100_000_000;
/** One rule: less than 1 s. */
const MOST_STEPS_OF_ONE_RULE = 25_000_000;

export interface Found {
  readonly spans: readonly MatchSpan[];
  readonly unchecked?: string;
}

/**
 * Every place where a pattern matches, at most one per line; matches longer than 2 kB may be missed in texts above 8 kB.
 * With keywords, or where the pattern itself names words, only their surroundings are searched.
 */
export function findMatches(
  pattern: CompiledPattern,
  { text, lower, mayHold }: Haystack,
  { keywords = [], budget = new StepBudget().share() }: { keywords?: readonly string[]; budget?: StepBudget } = {},
): Found {
  const seen = lower.length > MOST_CHARACTERS ? lower.slice(0, MOST_CHARACTERS) : lower;
  const words = keywords.length > 0 ? keywords.map(lowered).filter((word) => word !== '') : pattern.literals;
  budget.spend(Math.ceil((seen.length * (words?.length ?? 0)) / CHARACTERS_PER_STEP));
  const windows = words === undefined ? [{ start: 0, end: seen.length }] : windowsAround(seen, words.filter(mayHold));
  const spans: MatchSpan[] = [];
  for (const piece of pattern.needsWholeText
    ? wholeText(windows, seen)
    : windows.flatMap((window) => piecesOf(seen, window))) {
    if (budget.isSpent || (pattern.needsWholeText && seen.length * pattern.size > MOST_STEPS_OF_ONE_RULE))
      return { spans, unchecked: TOO_MUCH };
    for (const span of findInPiece(pattern, text, piece, budget)) if (isBehind(span, spans.at(-1))) spans.push(span);
    if (spans.length >= MOST_SPANS)
      return { spans, unchecked: `it is found at more than ${MOST_SPANS} places; the others are not listed` };
  }
  if (budget.isSpent) return { spans, unchecked: TOO_MUCH };
  return seen.length < lower.length
    ? { spans, unchecked: 'only the first million characters of the text were searched' }
    : { spans };
}

const wholeText = (windows: readonly unknown[], text: string): readonly Piece[] =>
  windows.length === 0 ? [] : [{ start: 0, end: text.length, isMidLine: false, isCut: false }];

const isBehind = ({ start }: MatchSpan, last: MatchSpan | undefined): boolean =>
  last === undefined || (start >= last.end && start > last.start);

/** Tests for any match, then line by line, then between the lines that matched. */
function findInPiece(pattern: CompiledPattern, text: string, piece: Piece, budget: StepBudget): readonly MatchSpan[] {
  const did = (steps: number): void => void budget.spend(steps);
  const from = piece.isMidLine ? piece.start - 1 : piece.start;
  const part = text.slice(from, piece.end) + (piece.isCut ? `${text.charAt(piece.end)}${NO_END}` : '');
  if (!pattern.test(part, did)) return [];
  if (pattern.needsWholeText || piece.isMidLine || piece.isCut)
    return repeated(pattern, part, piece.isMidLine ? 1 : 0, did)
      .map(moved(from))
      .filter(({ start }) => start <= piece.end)
      .map(({ start, end }) => ({ start, end: Math.min(end, piece.end) }));
  const spans: MatchSpan[] = [];
  let open = 0; // where the lines begin that did not match alone
  let at = 0;
  while (at <= part.length && !budget.isSpent) {
    const newline = part.indexOf('\n', at);
    const end = newline === -1 ? part.length : newline;
    const line = part.slice(at, end);
    if (pattern.test(line, did)) {
      const found = pattern.find(line, 0, did);
      if (found !== undefined) {
        if (pattern.crossesLines) spans.push(...overLines(pattern, part.slice(open, at), from + open, did));
        spans.push(moved(from + at)(found));
        open = end + 1;
      }
    }
    at = end + 1;
  }
  if (pattern.crossesLines && open < part.length) spans.push(...overLines(pattern, part.slice(open), from + open, did));
  return spans;
}

/** Matches that reach over the ends of lines, in lines of which none matches alone. */
function overLines(
  pattern: CompiledPattern,
  part: string,
  from: number,
  did: (steps: number) => void,
): readonly MatchSpan[] {
  if (!part.includes('\n') || !pattern.test(part, did)) return [];
  return repeated(pattern, part, 0, did).map(moved(from));
}

function repeated(
  pattern: CompiledPattern,
  part: string,
  start: number,
  did: (steps: number) => void,
): readonly MatchSpan[] {
  const spans: MatchSpan[] = [];
  for (let from = start; from <= part.length && spans.length < MOST_IN_ONE_PIECE;) {
    const span = pattern.find(part, from, did);
    if (span === undefined) break;
    spans.push(span);
    const newline = part.indexOf('\n', Math.max(span.end, span.start + 1));
    if (newline === -1) break;
    from = newline + 1;
  }
  return spans;
}

const moved =
  (by: number) =>
  ({ start, end }: MatchSpan): MatchSpan => ({ start: start + by, end: end + by });

const MOST_CHARACTERS = 1_000_000;
const MOST_SPANS = 1000;
/** Follows a part that is cut inside a line, so that its end is not a line end. */
const NO_END = '\uffff';
const MOST_IN_ONE_PIECE = 16;
/** Looking for a plain word is so much cheaper than a step. */
const CHARACTERS_PER_STEP = 64;
const TOO_MUCH =
  'the pattern is too slow for so much text, or the rules before it used up the time; give the rule `keywords`, or narrower `file_patterns`';

interface Piece extends MatchSpan {
  /** It begins inside a line, because the line is too long to be searched at once. */
  readonly isMidLine: boolean;
  readonly isCut: boolean;
}

/** The surroundings of words in a text in lower case: 2 kB to either side, to the ends of lines where those are near. */
function windowsAround(lower: string, words: readonly string[]): readonly MatchSpan[] {
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
function piecesOf(text: string, { start, end }: MatchSpan): readonly Piece[] {
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
function hitsOf(lower: string, word: string): MatchSpan[] {
  const hits: MatchSpan[] = [];
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
