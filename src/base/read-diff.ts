/** A row of a diff. `header` is every row outside a hunk, `note` is "\ No newline at end of file". */
export interface DiffRow {
  readonly kind: 'header' | 'hunk' | 'added' | 'removed' | 'context' | 'note';
  /** The signs before the text: one, or one per parent of a merge; empty outside hunks. */
  readonly signs: string;
  readonly text: string;
  /** Its number in the diff, from 1. */
  readonly row: number;
  /** Its number in the new file, or in the old one where it was removed. */
  readonly line?: number;
}

/** One file of a diff. A file without a header has an empty `path`. */
export interface DiffFile {
  readonly path: string;
  /** The old path of a moved or copied file. */
  readonly from?: string;
  readonly change: 'added' | 'deleted' | 'modified' | 'moved' | 'copied';
  readonly isBinary: boolean;
  readonly rows: readonly DiffRow[];
  /** Whether a hunk has fewer lines than its header announces. */
  readonly isCut: boolean;
}

/**
 * Parses a unified diff, also the combined one of a merge. It counts the lines of each hunk, so a line of a file is
 * never read as a header. Accepts everything: rows before the first file are skipped, other unknown rows are kept as
 * headers.
 */
export function readDiff(diff: string): readonly DiffFile[] {
  const texts = diff.split('\n');
  if (texts.at(-1) === '') texts.pop();
  const files: { rows: DiffRow[]; isCut: boolean }[] = [];
  let [width, oldLine, newLine, newLeft] = [1, 0, 0, 0];
  let oldLeft: number[] = [];
  let hasNames = false;
  const isInHunk = (): boolean => newLeft > 0 || oldLeft.some((left) => left > 0);
  const startFile = (): { rows: DiffRow[]; isCut: boolean } => {
    const file = { rows: [], isCut: false };
    files.push(file);
    hasNames = false;
    return file;
  };
  for (const [at, raw] of texts.entries()) {
    const text = raw.replace(/\r$/, '');
    const row = at + 1;
    let file = files.at(-1);
    const signs = text.slice(0, width).padEnd(width);
    if (file !== undefined && isInHunk() && /^[-+ ]*$/.test(signs)) {
      const kind = signs.includes('-') ? 'removed' : signs === '+'.repeat(width) ? 'added' : 'context';
      const line = kind === 'removed' ? oldLine : newLine;
      file.rows.push({ kind, signs, text: text.slice(width), row, line });
      oldLeft = oldLeft.map((left, parent) => left - Number(signs[parent] === (kind === 'removed' ? '-' : ' ')));
      if (signs.startsWith(kind === 'removed' ? '-' : ' ')) oldLine += 1;
      if (kind !== 'removed') [newLine, newLeft] = [newLine + 1, newLeft - 1];
      continue;
    }
    if (file !== undefined && text.startsWith('\\')) {
      file.rows.push({ kind: 'note', signs: '', text, row });
      continue;
    }
    if (file !== undefined && isInHunk()) file.isCut = true;
    [oldLeft, newLeft] = [[], 0];
    const hunk = HUNK.exec(text);
    const isPair = text.startsWith('--- ') && (texts[at + 1] ?? '').startsWith('+++ ');
    if (/^diff --(?:git|cc|combined) /.test(text) || (isPair && (hasNames || file === undefined))) file = startFile();
    else if (hunk !== null) file ??= startFile();
    if (hunk !== null || isPair) hasNames = true;
    file?.rows.push({ kind: hunk === null ? 'header' : 'hunk', signs: '', text, row });
    if (hunk === null) continue;
    const [, marks = '', ranges = '', start, count = '1'] = hunk;
    const old = [...ranges.matchAll(/-(\d+)(?:,(\d+))?/g)];
    width = marks.length - 1;
    oldLeft = old.map(([, , lines = '1']) => Number(lines));
    [oldLine, newLine, newLeft] = [Number(old[0]?.[1]), Number(start), Number(count)];
  }
  const last = files.at(-1);
  if (last !== undefined && isInHunk()) last.isCut = true;
  return files.map((file) => ({ ...fileFacts(file.rows.filter(isHeader).map(({ text }) => text)), ...file }));
}

const HUNK = /^(@{2,}) ((?:-\d+(?:,\d+)? )+)\+(\d+)(?:,(\d+))? \1/;
const NOWHERE = '/dev/null';
const isHeader = ({ kind }: DiffRow): boolean => kind === 'header';

function fileFacts(headers: readonly string[]): Omit<DiffFile, 'rows' | 'isCut'> {
  const after = (start: string): string | undefined => {
    const found = headers.find((text) => text.startsWith(start));
    return found === undefined ? undefined : unquoteGitName(found.slice(start.length).replace(/\t.*$/, ''));
  };
  const isBinary = headers.some((text) => /^(?:Binary files (?:.* )?differ$|GIT binary patch)/.test(text));
  const copied = after('copy to ');
  const moved = copied ?? after('rename to ');
  if (moved !== undefined) {
    const from = after('copy from ') ?? after('rename from ') ?? moved;
    return { path: moved, from, change: copied === undefined ? 'moved' : 'copied', isBinary };
  }
  const combined = after('diff --cc ') ?? after('diff --combined ');
  const pair = namesInHead(headers[0] ?? '');
  const [old, fresh] = withoutPrefixes(after('--- ') ?? combined ?? pair[0], after('+++ ') ?? combined ?? pair[1]);
  const isAdded = old === NOWHERE || after('new file mode ') !== undefined;
  const isDeleted = fresh === NOWHERE || after('deleted file mode ') !== undefined;
  const path = (fresh === NOWHERE ? old : fresh) ?? '';
  if (isAdded || isDeleted) return { path, change: isDeleted ? 'deleted' : 'added', isBinary };
  return old === path || old === undefined
    ? { path, change: 'modified', isBinary }
    : { path, from: old, change: 'moved', isBinary };
}

/** Both names in `diff --git A B`: quoted, without blanks, or the same name twice. */
function namesInHead(head: string): Names {
  const names = /^diff --git (.*)$/.exec(head)?.[1] ?? '';
  const middle = (names.length - 1) / 2;
  const [one, other] = [names.slice(0, middle), names.slice(middle + 1)];
  if (names[middle] === ' ' && one.slice(2) === other.slice(2)) return [unquoteGitName(one), unquoteGitName(other)];
  const [, before, behind] = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(names) ?? [];
  return before === undefined || behind === undefined
    ? [undefined, undefined]
    : [unquoteGitName(before), unquoteGitName(behind)];
}

/** `a/` and `b/`, or the prefixes of `diff.mnemonicPrefix`: index, work tree, commit, object, before and after. */
const PREFIXES = ['ab', 'iw', 'ci', 'cw', 'ow', '12'] as const;

type Names = readonly [string | undefined, string | undefined];

function withoutPrefixes(...names: Names): Names {
  const isFree = (name: string | undefined): boolean => name === undefined || name === NOWHERE;
  const hasPrefixes = PREFIXES.some((pair) =>
    names.every((name, side) => isFree(name) || name?.startsWith(`${pair[side]}/`)),
  );
  const [old, fresh] = names.map((name) => (name === NOWHERE || !hasPrefixes ? name : name?.slice(2)));
  return [old, fresh];
}

/** The hunks of a file; its headers where it has no hunk, as for a binary file. */
export const listShownRows = (rows: readonly DiffRow[]): readonly DiffRow[] =>
  rows.slice(
    Math.max(
      0,
      rows.findIndex(({ kind }) => kind === 'hunk'),
    ),
  );

/** The numbers of the lines that a diff adds, by the path of the file. */
export const addedLineNumbers = (diff: string): ReadonlyMap<string, ReadonlySet<number>> =>
  new Map(
    readDiff(diff).map(({ path, rows }) => [
      path,
      new Set(rows.flatMap(({ kind, line }) => (kind === 'added' && line !== undefined ? [line] : []))),
    ]),
  );

/** Unquotes a name that git wrote with quotes, control characters or letters beyond ASCII. */
export function unquoteGitName(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  const plain: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };
  for (const [piece] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(piece)) bytes.push(Number.parseInt(piece.slice(1), 8));
    else if (piece.startsWith('\\')) bytes.push(plain[piece.slice(1)] ?? piece.charCodeAt(1));
    else bytes.push(...new TextEncoder().encode(piece));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
