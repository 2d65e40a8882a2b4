import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { failure, success } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import { Problem } from '../base/problem.ts';
import { appendLine, makeFolder, moveFile, removeEmptyFolder, removeFile, replaceFile } from './durable.ts';

/**
 * The one door to a folder of andon's: what it reads and writes there goes through it. What lies above the folder is the
 * user's, and may be a link; below it nothing leads anywhere else, nothing is waited for, and nothing is read without a
 * bound. A way that is barred is no reason to write elsewhere: reading says why, writing throws a Problem.
 */
export interface Door {
  readonly folder: string;
  /** The path of a name, for whoever renames it or looks at it; every folder on the way is one. */
  at(name: string): string;
  /** The same for a file that others open (a database, a log): it is a plain one, or not there yet. */
  plain(name: string): string;
  /** The same for a folder that others work in. */
  place(name: string): string;
  /** A plain file's bytes; undefined when there is none, in words when it is something else or larger than `most`. */
  read(name: string, most: number): Outcome<Uint8Array | undefined, string>;
  /** At most so many bytes of it from a place on, and how many it has in all. */
  piece(name: string, from: number, most: number): Outcome<Bytes | undefined, string>;
  /** The same as text. */
  text(name: string, most: number): Outcome<string | undefined, string>;
  /** The end of a plain file that may be longer than anybody wants to read: whole lines of its last `most` bytes. */
  lines(name: string, most: number): Outcome<readonly string[], string>;
  /** What lies in a folder (`''` is the door's own); nothing where there is none, or the way to it is barred. */
  entries(name: string): readonly Dirent[];
  /** What lies at a name itself, a link too; undefined when nothing does, or the way to it is barred. */
  stat(name: string): Stats | undefined;
  /** Writes a file that may be lost with the machine (its folder is made); a plain one that is there is written over. */
  put(name: string, text: string, mode?: number): void;
  /** Replaces a file durably; see `replaceFile`. */
  write(name: string, content: string | Uint8Array, mayReplace?: () => boolean): boolean;
  append(name: string, line: string, mode?: number): void;
  move(from: string, to: string): boolean;
  remove(name: string): void;
  makeFolder(name: string, mode?: number): void;
  /** Removes a folder in which nothing lies; one that holds something stays. */
  removeEmpty(name: string): void;
  /** What bars the way to the first of these files or folders that is not what it should be, in words. */
  barred(files: readonly string[], folders?: readonly string[]): string | undefined;
}

/** The door to a folder that andon owns. */
export function doorTo(folder: string): Door {
  const open = (name: string, ...bars: readonly ((name: string) => string | undefined)[]): string => {
    for (const bar of bars) {
      const why = bar(name);
      if (why !== undefined) throw shut(why);
    }
    return join(folder, name);
  };
  const way = (name: string): string | undefined => onTheWay(folder, name);
  const noFile = (name: string): string | undefined => insteadOf('a plain file', folder, name);
  const noFolder = (name: string): string | undefined =>
    name === '' ? undefined : insteadOf('a folder', folder, name);
  const piece = (name: string, most: number, part: Part): Outcome<Bytes | undefined, string> => {
    const why = way(name);
    if (why !== undefined) return failure(`cannot be reached: ${why}`);
    const found = readPart(join(folder, name), most, part);
    const since = way(name); // what was opened lies where it was looked for
    return since === undefined ? found : failure(`cannot be reached: ${since}`);
  };
  const read = (name: string, most: number, part: Part = 'whole'): Outcome<Uint8Array | undefined, string> =>
    bytesIn(piece(name, most, part));
  return {
    folder,
    at: (name) => open(name, way),
    plain: (name) => open(name, way, noFile),
    place: (name) => open(name, way, noFolder),
    read: (name, most) => read(name, most),
    piece: (name, from, most) => piece(name, most, from),
    text(name, most) {
      const found = read(name, most);
      if (!found.ok || found.value === undefined) return found.ok ? success(undefined) : found;
      try {
        return success(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found.value));
      } catch {
        return failure('is not valid UTF-8');
      }
    },
    lines(name, most) {
      const found = read(name, most, 'end');
      if (!found.ok) return found;
      const text = new TextDecoder().decode(found.value);
      const lines = text.split('\n');
      const isCut = (found.value?.length ?? 0) >= most; // then the first line may be a part of one
      return success(lines.slice(isCut ? 1 : 0).filter((line) => line !== ''));
    },
    entries: (name) => ((way(name) ?? noFolder(name)) === undefined ? entriesOf(join(folder, name)) : []),
    stat: (name) => (way(name) === undefined ? standsAt(join(folder, name)) : undefined),
    put(name, text, mode) {
      const path = open(name, way, noFile);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const file = openSync(path, TO_WRITE, mode);
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
    },
    write: (name, content, mayReplace) =>
      replaceFile(open(name, way), content, () => {
        open(name, way); // nobody has put a link there since
        return mayReplace?.() ?? true;
      }),
    append: (name, line, mode) => appendLine(open(name, way, noFile), line, mode),
    move: (from, to) => moveFile(open(from, way), open(to, way)),
    remove: (name) => removeFile(open(name, way)),
    removeEmpty: (name) => removeEmptyFolder(open(name, way)),
    makeFolder: (name, mode) => makeFolder(open(name, way, noFolder), mode),
    barred: (files, folders = []) =>
      firstOf(folders, (name) => way(name) ?? noFolder(name)) ?? firstOf(files, (name) => way(name) ?? noFile(name)),
  };
}

/** What a plain file holds; nothing is waited for, no link is followed, and what was opened is looked at by its handle. */
export const readPlain = (path: string, most: number): Outcome<Uint8Array | undefined, string> =>
  bytesIn(readPart(path, most, 'whole'));

/** Bytes of a file, and how many it has in all. */
interface Bytes {
  readonly bytes: Uint8Array;
  readonly total: number;
}

/** All of a file, which then must not be too large, its end, or what begins at a byte. */
type Part = 'whole' | 'end' | number;

const bytesIn = (found: Outcome<Bytes | undefined, string>): Outcome<Uint8Array | undefined, string> =>
  found.ok ? success(found.value?.bytes) : found;

function readPart(path: string, most: number, part: Part): Outcome<Bytes | undefined, string> {
  let file: number;
  try {
    // Without O_NONBLOCK a FIFO would make everybody wait; without O_NOFOLLOW a link could lead anywhere.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return success(undefined);
    return failure(code === 'ELOOP' ? 'is a symbolic link; it must be a plain file' : `cannot be read (${code})`);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return failure('is not a plain file');
    if (stat.size > most && part === 'whole') return failure(`is too large (${stat.size} bytes)`);
    const from = part === 'whole' ? 0 : part === 'end' ? Math.max(0, stat.size - most) : Math.min(part, stat.size);
    return success({ bytes: bytesOf(file, Math.min(most, stat.size - from), from), total: stat.size });
  } finally {
    closeSync(file);
  }
}

const TO_WRITE =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** So many bytes, or fewer where the file was cut off meanwhile; never more, however fast somebody writes to it. */
function bytesOf(file: number, size: number, from: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let read = 1; read > 0 && at < size; at += read) read = readSync(file, bytes, at, size - at, from + at);
  return bytes.subarray(0, at);
}

/** What stands on the way to a name instead of a folder. */
function onTheWay(folder: string, name: string): string | undefined {
  const parts = name === '' ? [] : name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new Error(`${name} is no name of a file`);
  for (let depth = 1; depth < parts.length; depth += 1) {
    const parent = parts.slice(0, depth).join('/');
    const why = insteadOf('a folder', folder, parent);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What stands at a name instead of what should; undefined when it is that, or nothing is there. */
function insteadOf(wanted: 'a folder' | 'a plain file', folder: string, name: string): string | undefined {
  const stat = standsAt(join(folder, name));
  const kind = stat === undefined ? wanted : kindOf(stat);
  return kind === wanted ? undefined : `${join(folder, name)} is ${kind}, not ${wanted}`;
}

function kindOf(stat: Stats): string {
  if (stat.isFile()) return 'a plain file';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (stat.isFIFO()) return 'a FIFO';
  return stat.isSocket() ? 'a socket' : 'a device';
}

function standsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined; // then it is not there
    throw error;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function firstOf(names: readonly string[], look: (name: string) => string | undefined): string | undefined {
  for (const name of names) {
    const why = look(name);
    if (why !== undefined) return why;
  }
  return undefined;
}

const shut = (why: string): Problem =>
  new Problem('file-exists', why, 'move it away; andon makes what it needs anew, and leaves alone what it leads to');
