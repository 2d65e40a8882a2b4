import { chmodSync, chownSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openDir } from '../../base/system/safe-fs.ts';

/** Beside the repository, where every container, host and user finds the same file. */
export const SHARED_FOLDER = 'andon';
const FILE = `${SHARED_FOLDER}/lock.sqlite`;
/** A reading command holds the file for a moment. */
const PATIENCE_MS = 100;

/** A lock that the kernel holds for this process, and frees at its end in any case. */
interface KernelLock {
  release(): void;
}

/**
 * Takes the lock of a repository: SQLite's exclusive lock (fcntl) on an empty file in its git directory. It belongs to
 * the file, so that processes in other namespaces and other users meet it as well, unlike pids and sockets. Do not
 * close another descriptor of that file in this process: the kernel would drop the lock.
 */
export function takeKernelLock(commonDir: string): KernelLock | 'taken' {
  const door = openDir(commonDir);
  const { mode, uid, gid } = statSync(commonDir);
  // root in a container, or by sudo: the repository's owner must be able to take the lock afterwards
  const giveToOwner = (path: string): void =>
    void (process.geteuid?.() === 0 && uid !== 0 && chownSync(path, uid, gid));
  if (door.stat(SHARED_FOLDER) === undefined) {
    door.makeFolder(SHARED_FOLDER, mode & 0o777);
    giveToOwner(door.at(SHARED_FOLDER));
  }
  const isNew = door.stat(FILE) === undefined;
  const path = door.plain(FILE);
  const lock = takeFileLock(path, PATIENCE_MS);
  if (isNew) chmodSync(path, mode & 0o666); // every user of the repository may take its lock
  if (isNew && lock !== 'taken') giveToOwner(path);
  return lock;
}

/** The same for any file, which is made where it is missing; `ms` blocks this process. */
export function takeFileLock(path: string, ms = 0): KernelLock | 'taken' {
  const db = new DatabaseSync(path, { timeout: ms });
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isBusy(error)) return 'taken';
    throw error;
  }
  return {
    release: () => {
      if (db.isOpen) db.close();
    },
  };
}

/** Whether a process of this machine holds the lock; undefined when unknown. */
export function isKernelLocked(commonDir: string): boolean | undefined {
  const door = openDir(commonDir);
  if (door.stat(FILE) === undefined) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(door.plain(FILE), { readOnly: true, timeout: 0 });
    db.exec('SELECT 1 FROM sqlite_master');
    return false;
  } catch (error) {
    return isBusy(error) ? true : undefined;
  } finally {
    db?.close();
  }
}

const isBusy = (error: unknown): boolean => (error as { readonly errcode?: unknown }).errcode === SQLITE_BUSY;
const SQLITE_BUSY = 5;
