import { realpathSync, lstatSync, type Stats } from 'node:fs';
import { relative, resolve, sep, basename, dirname, join } from 'node:path';
import type { SubjectFile } from '../model/inspection.ts';
import { listNewLines } from '../../base/list-new-lines.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { decodeFileText } from '../../base/decode-file-text.ts';
import { createUsageError } from '../../base/problem.ts';
import { isInside } from '../../project/workspace/is-inside.ts';
import { readPlainFile } from '../../project/folders/user-folders.ts';

/** A larger file is not source text; it is skipped with a note. */
export const MAX_SOURCE_BYTES = 5_000_000;

/** The reason for a skipped file. */
export const TOO_LARGE = `larger than ${MAX_SOURCE_BYTES / 1_000_000} MB`;

/** Files of the project, whole: every line is checked. */
export function readWholeFiles(root: string, cwd: string, names: readonly string[]): readonly SubjectFile[] {
  return names.map((name) => {
    const file = resolve(cwd, name);
    const path = insideOf(root, file, name);
    const bytes = readBytes(file, name);
    return readWholeFile(path, bytes);
  });
}

/** A file's bytes as text with every line counted as new; of a binary one the pieces that can be read. */
export function readWholeFile(path: string, bytes: Uint8Array): SubjectFile {
  const { text, isPieces } = decodeFileText(bytes);
  const lines = listNewLines('', text);
  return isPieces
    ? { path, change: 'whole', binary: true, added: lines }
    : { path, change: 'whole', binary: false, content: text, added: lines };
}

export function readText(cwd: string, name: string): string {
  return readBytes(resolve(cwd, name), name).toString('utf8');
}

/** Whether something of this name is there, also when it is no plain file or a link to nothing. */
export const isThere = (cwd: string, name: string): boolean =>
  name.length < 4096 && !name.includes('\0') && statPath(resolve(cwd, name)) !== undefined;

/** The path of a file from the root, through any symbolic link on the way; a file outside is refused. */
function insideOf(root: string, file: string, typed: string): string {
  const name = toTerminalLine(typed);
  let real: string;
  try {
    real = realpathSync(file);
  } catch {
    throw createUsageError(`There is no file ${name}.`, NAME_A_FILE);
  }
  const path = relative(root, real).split(sep).join('/');
  if (path === '' || !isInside(real, root) || path === '.git' || path.startsWith('.git/'))
    throw createUsageError(`${name} is not a file of this repository.`, 'Name a file inside it.');
  return path;
}

/** Reads the file of an argument; throws a Problem if it is unreadable or larger than `most`. */
export function readBytes(file: string, typed: string, most = MAX_SOURCE_BYTES): Buffer {
  const read = readPlainFile(file, most);
  if (read.ok) return read.value;
  const name = toTerminalLine(typed);
  throw createUsageError(
    statPath(file) === undefined ? `There is no file ${name}.` : `${name} ${read.why}.`,
    NAME_A_FILE,
  );
}

const NAME_A_FILE = 'Name a plain file that exists and that you may read.';

/** The entry at a path, without following links; undefined if it is absent or a parent is a file. */
export function statPath(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The real path of what may not be there yet: of the part that is. */
export function resolveReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(resolveReal(dirname(path)), basename(path));
  }
}
