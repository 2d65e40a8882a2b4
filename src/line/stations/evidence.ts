import { readDiff } from '../../base/read-diff.ts';
import { DESK, citedPath } from './desk.ts';
import { isSubstantive } from './substantive.ts';

/** A line that a judge quotes. */
export interface Quote {
  readonly file: string;
  readonly line?: number | null | undefined;
  readonly quote: string;
}

/** What a quote is worth: where it stands, and whether it shows that the change was read. */
interface Weighed {
  readonly line: number | null;
  readonly found: boolean;
  readonly proves: boolean;
  /** Why it proves nothing; empty where it does. */
  readonly why: string;
}

/** Weighs a quote of the judge against what was judged. */
export type WeighQuote = (quote: Quote) => Weighed;

/** What was judged, as far as a judge may quote it. */
export interface Judged {
  /** The change as git shows it. */
  readonly patch: string;
  /** The lines of a file of the judged tree; undefined where there is none. */
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** The files that the change leaves behind; a quote without a file may stand in any of them. */
  readonly changed: readonly string[];
  /** What the acceptance gates printed, by their names. */
  readonly gates: ReadonlyMap<string, string>;
}

/**
 * A quote proves something where it is a substantive line that the change adds or removes, at the file and line that are
 * named (in the file, or in the diff), or one that an acceptance gate printed. A line that the change left as it was is
 * found and proves nothing. Where a change has no substantive line at all (a closing bracket, a file that moved), what it
 * has is enough.
 */
export function quoteWeigher({ patch, linesOf, changed, gates }: Judged): WeighQuote {
  const files = readDiff(patch);
  const lines = files.flatMap(({ path, from = path, rows }) =>
    rows.filter(({ kind }) => kind === 'added' || kind === 'removed').map((row) => ({ ...row, paths: [path, from] })),
  );
  const headers = files.flatMap(({ rows }) => rows.filter(({ kind }) => kind === 'header'));
  const isPoor = !lines.some(({ text }) => isSubstantive(text));
  const outputs = [...gates].map(([name, output]) => ({ name, rows: output.split('\n') }));

  const weighPiece = (file: string, line: number | undefined, piece: string): Weighed => {
    const path = citedPath(file);
    const inDiff = path === DESK.diff;
    const bare = piece.replace(/^[+-]/, '');
    const isIt = ({ text, signs }: (typeof lines)[number]): boolean =>
      says(text, piece) || (piece.startsWith(signs) && says(text, bare));
    const touched = lines.filter((one) => (path === '' || inDiff || one.paths.includes(path)) && isIt(one));
    const here = touched.find((one) => line === undefined || one.line === line || one.row === line);
    if (here !== undefined)
      return isPoor || isSubstantive(bare)
        ? proof(here.line ?? null)
        : { ...nothing(here.line ?? null), why: `${named(piece)} is on any page` };
    const printed = outputs.some(({ name, rows }) => mayBeGate(path, name) && rows.some((row) => says(row, piece)));
    if (printed && isSubstantive(piece)) return proof(null);
    const stands = (inDiff ? [] : path === '' ? changed : [path]).flatMap((one) =>
      (linesOf(one) ?? []).flatMap((text, at) => (says(text, piece) ? [at + 1] : [])),
    );
    const at = stands.find((one) => line === undefined || one === line);
    if (at !== undefined) return { ...nothing(at), why: `${named(piece)} is a line that the change does not touch` };
    if (isPoor && lines.length === 0 && headers.some(({ text }) => says(text, piece))) return proof(null);
    const elsewhere = touched[0]?.line ?? stands[0];
    const why =
      elsewhere === undefined
        ? `${named(piece)} stands neither in ${path === '' ? 'the change' : path} nor in what it removed`
        : `${named(piece)} stands in line ${elsewhere}, not ${line ?? ''}`;
    return { line: null, found: false, proves: false, why };
  };

  return ({ file, line, quote }) => {
    const pieces = quote.split('\n').flatMap((text, at) => (text.trim() === '' ? [] : [{ text: text.trim(), at }]));
    const [first, ...more] = pieces;
    if (first === undefined) return { line: null, found: false, proves: false, why: 'an empty quote' };
    const weigh = ({ text, at }: typeof first): Weighed =>
      weighPiece(file, typeof line === 'number' ? line + at - first.at : undefined, text);
    const all = [weigh(first), ...more.map(weigh)];
    const missing = all.find(({ found }) => !found);
    if (missing !== undefined) return missing;
    const best = all.find(({ proves }) => proves) ?? all[0];
    return { line: null, found: true, proves: false, why: '', ...best };
  };
}

/** A whole line, or a part of it that is long enough to be no chance. */
function says(text: string, wanted: string): boolean {
  const [whole, part] = [spaced(text), spaced(wanted)];
  return part !== '' && (whole === part || (part.length >= SURE_LENGTH && whole.includes(part)));
}

const SURE_LENGTH = 12;

/** How wide a gap is does not matter. */
const spaced = (text: string): string => text.trim().replace(/\s+/g, ' ');

const mayBeGate = (path: string, name: string): boolean =>
  path === '' || path === DESK.gates || path === name || path === `gate ${name}`;

const proof = (line: number | null): Weighed => ({ line, found: true, proves: true, why: '' });
const nothing = (line: number | null): Omit<Weighed, 'why'> => ({ line, found: true, proves: false });

const named = (piece: string): string => JSON.stringify(piece.length > 60 ? `${piece.slice(0, 60)}…` : piece);
