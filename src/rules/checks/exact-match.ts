import { createMatch, type MatchPlace, type RuleMatch } from '../model/inspection.ts';
import { findLineNumber } from '../../base/find-line-number.ts';
import { sha256 } from '../../base/sha256.ts';
import type { LookedAt } from './search-targets.ts';
import type { MatchSpan } from '../../base/pattern.ts';
import { rememberLast } from '../text/remembered.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';

export const exactPass = (reason: string): RuleMatch => createMatch('exact', 'PASS', 1, reason);

export const exactViolation = (reason: string, places: readonly MatchPlace[]): RuleMatch =>
  createMatch('exact', 'VIOLATED', 1, reason, places);

/** The same where whole files are at fault, by their paths. */
export const violatedBy = (reason: string, paths: readonly string[]): RuleMatch =>
  exactViolation(
    reason,
    paths.map((path) => ({ file: path, excerpt: path, matched: path })),
  );

/** A rule that could not be checked, which never counts as kept. */
export const exactError = (reason: string): RuleMatch => createMatch('exact', 'ERROR', 1, reason);

/** A rule of which too little is known to tell. */
export const exactUndecided = (reason: string): RuleMatch => createMatch('exact', 'UNDECIDED', 1, reason);

export const exactIdle = (reason: string): RuleMatch => createMatch('exact', 'NOT_APPLICABLE', 1, reason);

/** What the searches of several files come to: places, or a match in their stead where one could not be searched. */
export function concludeSearch(
  found: readonly (RuleMatch | readonly MatchPlace[])[],
  violation: string,
  pass: string,
): readonly RuleMatch[] {
  const places = found.flatMap((one) => ('status' in one ? [] : one));
  const open = found.flatMap((one) => ('status' in one ? [one] : [])).slice(0, 1);
  if (places.length > 0) return [exactViolation(violation, places), ...open];
  return open.length > 0 ? open : [exactPass(pass)];
}

/** A place of a text as reports name it: file, line, column, and the line itself, cut and without secrets. */
export function locateMatch({ file, haystack: { text }, lines }: LookedAt, { start, end }: MatchSpan): MatchPlace {
  const { from, to } = linesAround(text, { start, end: start });
  const line = text.slice(from, to);
  const row = findLineNumber(text, from);
  const number = lines === undefined ? row : (lines[row - 1] ?? row);
  return {
    ...(file === undefined ? {} : { file }),
    line: number,
    column: start - from + 1,
    excerpt: cutExcerpt(line, start - from),
    matched: matchContext(text, { start, end }, file === undefined),
  };
}

/**
 * The identity of a match: its text and its whole lines, without spacing.
 * Outside of files their numbers do not count: tests take another time each time.
 */
export function matchContext(text: string, { start, end }: MatchSpan, isProse = false): string {
  const matched = text.slice(start, Math.min(end, start + LONGEST_MATCH)).replace(/\s+/g, ' ');
  const { from, to } = linesAround(text, { start, end });
  return `${matched} ${linesPrint(text, from, to, isProse)}`;
}

export function linesAround(text: string, { start, end }: MatchSpan): { readonly from: number; readonly to: number } {
  const newline = text.indexOf('\n', Math.max(end - 1, start));
  return { from: text.lastIndexOf('\n', start - 1) + 1, to: newline === -1 ? text.length : newline };
}

/** The print of some lines of a text; many places of one long line do not have it taken many times. */
function linesPrint(text: string, from: number, to: number, isProse: boolean): string {
  const prints = printsOf(text);
  const key = `${from}-${to} ${isProse}`;
  const known = prints.get(key);
  if (known !== undefined) return known;
  const lines = text.slice(from, to).replace(/\s+/g, ' ').trim();
  const print = sha256(isProse ? lines.replace(/\d+(?:[.,]\d+)*/g, '0') : lines);
  prints.set(key, print);
  return print;
}

const printsOf = rememberLast((_text) => new Map<string, string>());

/** A line as it may be printed: its secrets masked, and of a long one the part around a column. */
export function cutExcerpt(line: string, at = 0): string {
  const begin = Math.max(0, Math.min(at - 60, line.length - LONGEST_EXCERPT));
  const near = line.slice(Math.max(0, begin - MARGIN), begin + LONGEST_EXCERPT + MARGIN);
  const text = maskSecrets(near).trim();
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

const LONGEST_EXCERPT = 200;
/** Around an excerpt, so that a secret that is cut by its edge is still known for one. */
const MARGIN = 300;
const LONGEST_MATCH = 2000;
