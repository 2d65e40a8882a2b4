import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failpoint, isArmed } from './failpoints.ts';

/**
 * Replaces a file atomically and durably. `mayReplace` is asked right before the rename, because another process may
 * replace the file during the sync. Returns false, with no effect, when it refuses.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  mayReplace: () => boolean,
  mode = 0o644,
): boolean {
  return withExistingFolder(path, () => replaceOnce(path, content, mayReplace, mode));
}

function replaceOnce(path: string, content: string | Uint8Array, mayReplace: () => boolean, mode: number): boolean {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    failpoint('file.replace.before-write');
    const file = openNew(temporary, mode);
    try {
      writeAll(file, content);
      failpoint('file.replace.before-sync');
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    failpoint('file.replace.before-rename');
    if (!mayReplace()) {
      rmSync(temporary, { force: true });
      return false;
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  failpoint('file.replace.after-rename');
  syncFolder(dirname(path));
  return true;
}

/** Creates a new file; one of that name (of an andon that died, or a link) is removed first. */
function openNew(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    unlinkSync(path);
    return openSync(path, 'wx', mode);
  }
}

/** Appends lines durably; a line torn by a crash is ended first. */
export function appendLine(path: string, line: string, mode = 0o644): void {
  withExistingFolder(path, () => appendOnce(path, line, mode));
}

function appendOnce(path: string, line: string, mode: number): void {
  failpoint('file.append.before-write');
  const file = openSync(path, TO_APPEND, mode);
  const stat = fstatSync(file);
  const { size } = stat;
  try {
    if (!stat.isFile()) throw new Error(`${path} is not a plain file`);
    if (isTorn(file)) writeAll(file, '\n');
    if (isArmed('file.append.half-written')) {
      writeAll(file, line.slice(0, line.length / 2));
      failpoint('file.append.half-written');
      writeAll(file, `${line.slice(line.length / 2)}\n`);
    } else writeAll(file, `${line}\n`);
    failpoint('file.append.after-write');
    fsyncSync(file);
    if (size === 0) syncFolder(dirname(path));
  } catch (error) {
    cutOff(file, size);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Follows no link, waits for no FIFO. */
const TO_APPEND =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Removes a partly written line, as far as the disk allows; it is written again later. */
function cutOff(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    // It stays torn, as after a crash.
  }
}

function isTorn(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}

/** Renames durably, also between folders; false when the source is missing. */
export function moveFile(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  try {
    failpoint('file.move.before-rename');
    withExistingFolder(to, () => renameSync(from, to));
    failpoint('file.move.after-rename');
    for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false; // the file or its folder has just been deleted
  }
}

/** Removes a file; a missing one is ignored. */
export function removeFile(path: string): void {
  try {
    failpoint('file.remove.before-unlink');
    unlinkSync(path);
    failpoint('file.remove.after-unlink');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Removes an empty folder; a missing or filled one is ignored. */
export function removeEmptyFolder(path: string): void {
  try {
    failpoint('file.remove-folder.before');
    rmdirSync(path);
    failpoint('file.remove-folder.after');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) throw error;
  }
}

/** Makes a folder and its parents durably. */
export function makeFolder(path: string, mode?: number): void {
  const first = mkdirAll(path, mode);
  if (first === undefined) return;
  for (let at = path; at.length >= first.length; at = dirname(at))
    try {
      syncFolder(dirname(at));
    } catch (error) {
      if (!isLeftOut(error)) throw error;
    }
}

/** Node calls a read-only disk ENOENT when it makes parents too; the kernel names it where one folder is made. */
function mkdirAll(path: string, mode?: number): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let missing = path;
    while (!existsSync(dirname(missing))) missing = dirname(missing);
    mkdirSync(missing, { mode });
    mkdirSync(path, { recursive: true, mode });
    return missing;
  }
}

/**
 * Syncs file contents and folder entries; missing or foreign paths are skipped. In parallel, which is several times
 * faster.
 */
export async function syncAll(paths: Iterable<string>): Promise<void> {
  const left = [...new Set(paths)];
  while (left.length > 0) {
    const synced = await Promise.allSettled(left.splice(0, AT_ONCE).map(syncFile));
    const failed = synced.find((one) => one.status === 'rejected' && !isLeftOut(one.reason));
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

/** Files open at once: more are not faster, and a process may have few. */
const AT_ONCE = 32;

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const isLeftOut = (error: unknown): boolean => LEFT_OUT.includes((error as NodeJS.ErrnoException).code ?? '');

const LEFT_OUT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES', 'EPERM', 'EINVAL'];

/** Enough against a process that deletes the folder in a loop; few enough not to hang. */
const TRIES = 200;

/** Retries after making the folder, when another process (`git clean`) has just deleted it. */
export function withExistingFolder<Value>(path: string, work: () => Value): Value {
  for (let tries = 1; ; tries += 1) {
    try {
      if (tries > 1) makeFolder(dirname(path)); // can lose the race as well
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === TRIES) throw error;
    }
  }
}

function writeAll(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** Syncing a file does not sync its name. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
