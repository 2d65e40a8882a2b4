import { findInsertionPoint } from '../../base/byte-order.ts';
import type { TreeFile } from './repository-facts.ts';
import type { ChangedFile } from '../../base/changed-file.ts';
import { splitNul } from './run-git.ts';

/** A row of a listing without its size. */
export type Unsized = Omit<TreeFile, 'size'>;

/** The paths of a difference that the second side lacks or holds otherwise, and what it holds instead. */
export interface PathChanges {
  readonly gone: ReadonlySet<string>;
  readonly come: readonly Unsized[];
}

/** Parses `git ls-tree -r -z --long`. */
export function readListing(output: Buffer): TreeFile[] {
  return splitNul(output).map((row) => {
    const tab = row.indexOf('\t');
    const [mode = '', , oid = '', size = '0'] = row.slice(0, tab).split(/ +/);
    return { path: row.slice(tab + 1), mode, oid, size: size === '-' ? 0 : Number(size) };
  });
}

/**
 * Parses `git diff-tree -r -z -M --raw --numstat`: raw records, then one count per record in the same order. Names are
 * unquoted between NULs, so they are unambiguous.
 */
export function readDiffTree(output: Buffer): ChangedFile[] {
  const fields = output.toString('utf8').split('\0');
  const raw: Omit<ChangedFile, 'added' | 'deleted'>[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', , , letter = ''] = (fields[at] ?? '').slice(1).split(' ');
    const moved = letter.startsWith('R') || letter.startsWith('C');
    const first = fields[at + 1] ?? '';
    const path = moved ? (fields[at + 2] ?? '') : first;
    raw.push({
      path,
      ...(moved ? { from: first } : {}),
      status: STATUS[letter[0] ?? ''] ?? 'modified',
      oldMode,
      newMode,
    });
    at += moved ? 3 : 2;
  }
  return raw.map((file) => {
    const [added = '-', deleted = '-', name = ''] = (fields[at] ?? '').split('\t');
    at += name === '' ? 3 : 1; // a moved file has an empty name here and both names in the next two fields
    return { ...file, added: count(added), deleted: count(deleted) };
  });
}

const STATUS: Readonly<Record<string, ChangedFile['status'] | undefined>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'moved',
  C: 'added',
  T: 'type-changed',
};

const count = (text: string): number | null => (text === '-' ? null : Number(text));

/** The raw records of a difference as paths, with object ids; needs `--no-abbrev`. Returns where they end as well. */
export function readPathChanges(output: Buffer): PathChanges & { readonly end: number } {
  let at = 0;
  const field = (): string => {
    const end = output.indexOf(0, at);
    const text = output.toString('utf8', at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    return text;
  };
  const gone = new Set<string>();
  const come: Unsized[] = [];
  while (output[at] === COLON) {
    const [, mode = '', , oid = '', letter = ''] = field().split(' ');
    const path = field();
    gone.add(path);
    const name = letter.startsWith('R') ? field() : path;
    gone.add(name);
    if (letter !== 'D') come.push({ path: name, mode, oid });
  }
  return { gone, come, end: at };
}

const COLON = 58;

/** With more differing files, git lists the second side. */
const MOST_CHANGES = 500;

/** Whether the second side follows from the first and this difference; names outside UTF-8 are ambiguous here. */
export const isTold = ({ gone, come }: PathChanges): boolean =>
  gone.size <= MOST_CHANGES && ![...gone, ...come.map(({ path }) => path)].some((path) => path.includes('\ufffd'));

/** The listing after a difference, in git's order. */
export function withDifference(
  files: readonly TreeFile[],
  gone: ReadonlySet<string>,
  come: readonly TreeFile[],
): readonly TreeFile[] {
  const next = files.filter(({ path }) => !gone.has(path));
  for (const file of come) next.splice(findInsertionPoint(next, file.path), 0, file);
  return next;
}

/** The file with this path, in a listing in git's order. */
export function findFile(files: readonly TreeFile[], path: string): TreeFile | undefined {
  const file = files[findInsertionPoint(files, path)];
  return file?.path === path ? file : undefined;
}

/** Whether git would remove other files to make room for this path: a file instead of a folder, or the reverse. */
export function replacesOtherFiles(files: readonly TreeFile[], path: string): boolean {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (findFile(files, path.slice(0, at)) !== undefined) return true;
  return files[findInsertionPoint(files, `${path}/`)]?.path.startsWith(`${path}/`) === true;
}
