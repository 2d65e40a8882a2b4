import { readDiff } from '../../base/read-diff.ts';
import { DESK, toProjectPath } from './desk.ts';
import { isSubstantive } from './substantive.ts';

export interface EvidenceQuote {
  readonly file: string;
  readonly line?: number | null | undefined;
  readonly quote: string;
}

/** A verified quote: its place, and whether it proves that the change was read. */
interface Weighed {
  readonly line: number | null;
  readonly found: boolean;
  readonly proves: boolean;
  /** Why it proves nothing; empty where it does. */
  readonly why: string;
}

/** Verifies a judge's quote against the judged change. */
export type WeighQuote = (quote: EvidenceQuote) => Weighed;

/** The material that a judge may quote. */
export interface Judged {
  readonly patch: string;
  /** Undefined where the judged tree lacks the file. */
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** The files left by the change; a quote without a file may be in any of them. */
  readonly changed: readonly string[];
  /** The output of acceptance gates, by name. */
  readonly gates: ReadonlyMap<string, string>;
}

/**
 * A quote proves something where it is a substantive line that the change adds or removes, at the named place, or one
 * that an acceptance gate printed. An unchanged line is found but proves nothing. A change without a substantive line
 * (a closing bracket, a moved file) is proven by any of its lines.
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
    const path = toProjectPath(file);
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
    const places = (inDiff ? [] : path === '' ? changed : [path]).flatMap((one) =>
      (linesOf(one) ?? []).flatMap((text, at) => (says(text, piece) ? [at + 1] : [])),
    );
    const at = places.find((one) => line === undefined || one === line);
    if (at !== undefined) return { ...nothing(at), why: `${named(piece)} is a line that the change does not touch` };
    if (isPoor && lines.length === 0 && headers.some(({ text }) => says(text, piece))) return proof(null);
    const elsewhere = touched[0]?.line ?? places[0];
    const why =
      elsewhere === undefined
        ? `${named(piece)} is neither in ${path === '' ? 'the change' : path} nor in what it removed`
        : `${named(piece)} is in line ${elsewhere}, not ${line ?? ''}`;
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

/** A whole line, or a part long enough to be no coincidence. */
function says(text: string, wanted: string): boolean {
  const [whole, part] = [spaced(text), spaced(wanted)];
  return part !== '' && (whole === part || (part.length >= SURE_LENGTH && whole.includes(part)));
}

const SURE_LENGTH = 12;

/** Collapses spaces. */
const spaced = (text: string): string => text.trim().replace(/\s+/g, ' ');

const mayBeGate = (path: string, name: string): boolean =>
  path === '' || path === DESK.gates || path === name || path === `gate ${name}`;

const proof = (line: number | null): Weighed => ({ line, found: true, proves: true, why: '' });
const nothing = (line: number | null): Omit<Weighed, 'why'> => ({ line, found: true, proves: false });

const named = (piece: string): string => JSON.stringify(piece.length > 60 ? `${piece.slice(0, 60)}…` : piece);
