import { readDiff } from '../../base/read-diff.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Citation } from '../record/review.ts';

interface EvidenceQuote {
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

export type WeighQuote = (quote: EvidenceQuote) => Weighed;

interface Judged {
  readonly patch: string;
  /** Undefined where the judged tree lacks the file. */
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** The files left by the change; a quote without a file may be in any of them. */
  readonly changed: readonly string[];
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
      containsQuote(text, piece) || (piece.startsWith(signs) && containsQuote(text, bare));
    const touched = lines.filter((one) => (path === '' || inDiff || one.paths.includes(path)) && isIt(one));
    const here = touched.find((one) => line === undefined || one.line === line || one.row === line);
    if (here !== undefined)
      return isPoor || isSubstantive(bare)
        ? proof(here.line ?? null)
        : { ...nothing(here.line ?? null), why: `${named(piece)} is on any page` };
    const printed = outputs.some(
      ({ name, rows }) => mayBeGate(path, name) && rows.some((row) => containsQuote(row, piece)),
    );
    if (printed && isSubstantive(piece)) return proof(null);
    const places = (inDiff ? [] : path === '' ? changed : [path]).flatMap((one) =>
      (linesOf(one) ?? []).flatMap((text, at) => (containsQuote(text, piece) ? [at + 1] : [])),
    );
    const at = places.find((one) => line === undefined || one === line);
    if (at !== undefined) return { ...nothing(at), why: `${named(piece)} is a line that the change does not touch` };
    if (isPoor && lines.length === 0 && headers.some(({ text }) => containsQuote(text, piece))) return proof(null);
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
function containsQuote(text: string, wanted: string): boolean {
  const [whole, part] = [spaced(text), spaced(wanted)];
  return part !== '' && (whole === part || (part.length >= SURE_LENGTH && whole.includes(part)));
}

const SURE_LENGTH = 12;

const spaced = (text: string): string => text.trim().replace(/\s+/g, ' ');

const mayBeGate = (path: string, name: string): boolean =>
  path === '' || path === DESK.gates || path === name || path === `gate ${name}`;

const proof = (line: number | null): Weighed => ({ line, found: true, proves: true, why: '' });
const nothing = (line: number | null): Omit<Weighed, 'why'> => ({ line, found: true, proves: false });

const named = (piece: string): string => `"${piece.length > 60 ? `${piece.slice(0, 60)}…` : piece}"`;

/** A text with fewer letters and digits may match by coincidence. */
const FEWEST_SIGNS = 3;

/**
 * Whether a line is distinctive. A closing bracket, a blank, `else`, a lone import or a comment mark proves no reading:
 * nearly every file contains such a line.
 */
export function isSubstantive(line: string): boolean {
  const text = line.trim();
  if ((text.match(/[\p{L}\p{N}]/gu) ?? []).length < FEWEST_SIGNS && !/[\p{Script=Han}\p{Script=Hangul}]{2}/u.test(text))
    return false;
  return !isScaffolding(text) && !BOILERPLATE.some((shape) => shape.test(text));
}

/** Only block keywords: `} else {`, `end;`, `return;`, `finally:`. */
function isScaffolding(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.every((word) => SCAFFOLDING.has(word));
}

const SCAFFOLDING: ReadonlySet<string> = new Set(
  `else elif elsif elseif if then end endif fi do done begin try catch except finally ensure rescue loop while for esac
   case default switch break continue return pass yield null nil none undefined true false void public private
   protected static endfor endwhile endfunction endswitch next`
    .trim()
    .split(/\s+/),
);

/** Lines of every other file: lone imports, closing tags, shebangs, modes and marks. */
const BOILERPLATE: readonly RegExp[] = [
  /^import\s+(?:type\s+|static\s+)?(?:[\w*{}"'<(.@/$-]|,)+(?:[\s,{}*]+(?:as|from)?\s*[\w{}*"'./@<>:-]*)*;?\s*$/,
  /^from\s+\S+\s+import\b/,
  /^\}?\s*from\s+['"][^'"]*['"];?$/,
  /^#\s*include\b/,
  /^(?:using|namespace|package|open|module)\s+[\w.:\\]+;?\s*\{?$/,
  /^(?:pub\s+)?use\s+[\w:\\{}*, ]+;$/,
  /^extern\s+crate\s+\w+;$/,
  /^(?:(?:const|let|var)\s+[\w{}\s,:]+=\s*)?require(?:_relative|_once)?[\s(]+['"][^'"]*['"]\)?;?$/,
  /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})(?:\s+as\s+\w+)?\s+from\b/,
  /^@import\b|^@\w+$/,
  /^<\/?[\w:.-]+\s*\/?>$/,
  /^#!\//,
  /^<\?(?:php|xml)\b[^>]*(?:\?>)?$/,
  /^['"]use strict['"];?$/,
  /^<!doctype\b/i,
];

interface WrittenPlace {
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly quote?: string | null | undefined;
}

/**
 * Verifies a citation: the file must be in the tree or the change, and contain the quote. A wrong line is corrected
 * where the quote is elsewhere in that file; a quote that fits any file cites nothing.
 */
export function lookUp(written: WrittenPlace, weigh: WeighQuote): Outcome<Citation, string> {
  const [file, quote] = [written.file?.trim() ?? '', written.quote?.trim() ?? ''];
  if (file === '' || quote === '') return failure('it cites no file and quoted line');
  if (!quote.split('\n').some(isSubstantive)) return failure('its quote fits any file');
  const line = typeof written.line === 'number' && written.line > 0 ? written.line : null;
  const there = weigh({ file, line, quote });
  const found = there.found ? there : weigh({ file, line: null, quote });
  if (!found.found) return failure(found.why);
  return success({ file: toProjectPath(file), line: found.line, quote: quote.slice(0, LONGEST_QUOTE) });
}

const LONGEST_QUOTE = 500;

/**
 * The same for a citation that contradicts a finding. A comment does not count: code can contain comments written to be
 * quoted.
 */
export function lookUpAgainst(written: WrittenPlace, weigh: WeighQuote): Outcome<Citation, string> {
  const found = lookUp(written, weigh);
  if (!found.ok) return found;
  const { file, quote } = found.value;
  return quote.split('\n').every((line) => line.trim() === '' || isComment(line, file))
    ? failure('it quotes only a comment, which shows nothing')
    : found;
}

/** Whether a line is only a comment, in most languages; in prose, an invisible one. */
function isComment(line: string, file: string): boolean {
  const text = line.trim().replace(/^[+-]\s*/, '');
  if (/\.(?:md|markdown|txt|rst|adoc)$/i.test(file)) return text.startsWith('<!--');
  return /^(?:\/\/|\/\*|\*|#(?!include|define|if|else|endif)|--\s|<!--|;|%|"""|''')/.test(text);
}

/** The files in the judge's folder; the judge may read these and no others. */
export const DESK = {
  contract: 'contract.md',
  diff: 'change.diff',
  gates: 'gates.md',
  findings: 'findings.md',
  rounds: 'earlier-rounds.md',
  rebuttal: 'REBUTTAL.md',
  tree: 'tree',
} as const;

/** Converts a path cited by the judge, with the tree in a folder, into one of the project. */
export const toProjectPath = (path: string): string => path.replace(/^(?:\.\/)?tree\//, '').replace(/^\.\//, '');

/** Whether one of the files read is the change in the judge's folder, not a file of that name in the tree. */
export const hasOpenedChange = (opened: readonly string[], folder: string): boolean =>
  opened.some(
    (path) =>
      [DESK.diff, `./${DESK.diff}`, `${folder}/${DESK.diff}`].includes(path) ||
      path.endsWith(`/${lastTwo(folder)}/${DESK.diff}`),
  );

const lastTwo = (folder: string): string => folder.split('/').slice(-2).join('/');
