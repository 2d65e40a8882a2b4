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
  type Dirent,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { failure, success, type Outcome } from '../outcome.ts';
import { Problem } from '../problem.ts';
import { appendLine, makeFolder, moveFile, removeEmptyFolder, removeFile, replaceFile } from './durable.ts';

/**
 * Safe access to a folder of andon: all its reads and writes use it. Parents of the folder are the user's and may be
 * links. Below it, no link is followed, no pipe is waited for, and every read has a limit. Where the way is barred,
 * reading returns the reason and writing throws a Problem.
 */
export type SafeDir = ReturnType<typeof openDir>;

/** Opens a folder that andon owns. */
export function openDir(folder: string) {
  const open = (name: string, ...bars: readonly ((name: string) => string | undefined)[]): string => {
    for (const bar of bars) {
      const why = bar(name);
      if (why !== undefined) throw shut(why);
    }
    return join(folder, name);
  };
  const way = (name: string): string | undefined => findObstacle(folder, name);
  const refuseNonFile = (name: string): string | undefined => describeObstacle('a plain file', folder, name);
  const refuseNonFolder = (name: string): string | undefined =>
    name === '' ? undefined : describeObstacle('a folder', folder, name);
  const piece = (name: string, most: number, part: Part): Outcome<Bytes | undefined, string> => {
    const why = way(name);
    if (why !== undefined) return failure(`cannot be reached: ${why}`);
    const found = readPart(join(folder, name), most, part);
    const since = way(name); // the opened file is the one at this path
    return since === undefined ? found : failure(`cannot be reached: ${since}`);
  };
  const read = (name: string, most: number, part: Part = 'whole'): Outcome<Uint8Array | undefined, string> =>
    bytesIn(piece(name, most, part));
  return {
    folder,
    /** The path of a name, to rename or inspect it; every folder on the way is a real folder. */
    at: (name: string) => open(name, way),
    /** The same for a file that others open (a database, a log); it is plain or missing. */
    plain: (name: string) => open(name, way, refuseNonFile),
    /** The same for a folder that others work in. */
    place: (name: string) => open(name, way, refuseNonFolder),
    /**
     * A plain file's bytes; undefined when it does not exist, a reason when it is something else or larger than `most`.
     */
    read: (name: string, most: number) => read(name, most),
    /** At most this many bytes from an offset on, and the size of the file. */
    piece: (name: string, from: number, most: number) => piece(name, most, from),
    /** The same as text. */
    text(name: string, most: number): Outcome<string | undefined, string> {
      const found = read(name, most);
      if (!found.ok || found.value === undefined) return found.ok ? success(undefined) : found;
      try {
        return success(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found.value));
      } catch {
        return failure('is not valid UTF-8');
      }
    },
    /** The whole lines in the last `most` bytes of a long file. */
    lines(name: string, most: number): Outcome<readonly string[], string> {
      const found = read(name, most, 'end');
      if (!found.ok) return found;
      const text = new TextDecoder().decode(found.value);
      const lines = text.split('\n');
      const isCut = (found.value?.length ?? 0) >= most; // the first line may be cut
      return success(lines.slice(isCut ? 1 : 0).filter((line) => line !== ''));
    },
    /** The entries of a folder (`''` is the root); empty where it does not exist or the way is barred. */
    entries: (name: string) =>
      (way(name) ?? refuseNonFolder(name)) === undefined ? entriesOf(join(folder, name)) : [],
    /** The status of a name, without following a link; undefined when it does not exist or the way is barred. */
    stat: (name: string) => (way(name) === undefined ? lstatPath(join(folder, name)) : undefined),
    /** Writes or overwrites a plain file without syncing it; makes its folder. */
    put(name: string, text: string, mode?: number): void {
      const path = open(name, way, refuseNonFile);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const file = openSync(path, TO_WRITE, mode);
      try {
        writeFileSync(file, text);
      } finally {
        closeSync(file);
      }
    },
    /** Replaces a file durably; see `replaceFile`. */
    write: (name: string, content: string | Uint8Array, mayReplace?: () => boolean) =>
      replaceFile(open(name, way), content, () => {
        open(name, way); // no link has replaced it since
        return mayReplace?.() ?? true;
      }),
    append: (name: string, line: string, mode?: number) => appendLine(open(name, way, refuseNonFile), line, mode),
    move: (from: string, to: string) => moveFile(open(from, way), open(to, way)),
    remove: (name: string) => removeFile(open(name, way)),
    /** Removes an empty folder; one with content stays. */
    removeEmpty: (name: string) => removeEmptyFolder(open(name, way)),
    makeFolder: (name: string, mode?: number) => makeFolder(open(name, way, refuseNonFolder), mode),
    /** The first of these files or folders that is not of its kind, as a sentence. */
    barred: (files: readonly string[], folders: readonly string[] = []) =>
      firstOf(folders, (name) => way(name) ?? refuseNonFolder(name)) ??
      firstOf(files, (name) => way(name) ?? refuseNonFile(name)),
  };
}

/** The content of a plain file. It waits for nothing, follows no link, and checks the opened handle. */
export const readPlain = (path: string, most: number): Outcome<Uint8Array | undefined, string> =>
  bytesIn(readPart(path, most, 'whole'));

/** Bytes of a file, and its size. */
interface Bytes {
  readonly bytes: Uint8Array;
  readonly total: number;
}

/** The whole file (with a size limit), its end, or everything from an offset on. */
type Part = 'whole' | 'end' | number;

const bytesIn = (found: Outcome<Bytes | undefined, string>): Outcome<Uint8Array | undefined, string> =>
  found.ok ? success(found.value?.bytes) : found;

function readPart(path: string, most: number, part: Part): Outcome<Bytes | undefined, string> {
  let file: number;
  try {
    // Without O_NONBLOCK a FIFO would block; without O_NOFOLLOW a link could lead anywhere.
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

/** At most this many bytes; fewer where the file was truncated, and never more while another process appends. */
function bytesOf(file: number, size: number, from: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let read = 1; read > 0 && at < size; at += read) read = readSync(file, bytes, at, size - at, from + at);
  return bytes.subarray(0, at);
}

/** What is on the way to a name instead of a folder. */
function findObstacle(folder: string, name: string): string | undefined {
  const parts = name === '' ? [] : name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) throw new Error(`${name} is not a file name`);
  for (let depth = 1; depth < parts.length; depth += 1) {
    const parent = parts.slice(0, depth).join('/');
    const why = describeObstacle('a folder', folder, parent);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What is at a name instead of the wanted kind; undefined when it is right or missing. */
function describeObstacle(wanted: 'a folder' | 'a plain file', folder: string, name: string): string | undefined {
  const stat = lstatPath(join(folder, name));
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

/** What is at a path; undefined where nothing is, also below a file. */
export function lstatPath(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined; // it does not exist
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
  new Problem('file-exists', why, 'move it away; andon recreates what it needs, and leaves the target of a link alone');
