import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Suffix of a folder for removed files: its content is being removed, or was left by a dead andon. */
const GONE = '.gone';

/**
 * Moves a file or folder away at once, and removes it in a process of its own: 200,000 files take seconds, and a path
 * may be longer than a system call takes. Resolves when its path is free.
 */
export function moveToTrash(path: string): Promise<void> {
  if (isSmall(path)) {
    try {
      rmSync(path, { recursive: true, force: true });
      return Promise.resolve();
    } catch {
      // The permission to change it was removed.
    }
  }
  const gone = join(dirname(path), GONE);
  const there = join(gone, randomUUID());
  try {
    mkdirSync(gone, { recursive: true });
    renameSync(path, there);
  } catch (error) {
    if (existsSync(path)) return remove(path, { isWaitedFor: true }); // a disk that takes no new name may still delete old ones
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
    return Promise.resolve();
  }
  void remove(there, { isWaitedFor: false });
  return Promise.resolve();
}

/** Removes what a dead andon has moved away in `folder`. */
export function removePutAway(folder: string): void {
  const gone = join(folder, GONE);
  if (existsSync(gone)) for (const name of readdirSync(gone)) void remove(join(gone, name), { isWaitedFor: false });
}

/** Up to this many entries are removed directly: starting a program costs more. */
const SMALL = 100;

function isSmall(path: string): boolean {
  const folders = [path];
  try {
    for (let seen = 0, folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      if (!lstatSync(folder).isDirectory()) continue;
      const entries = readdirSync(folder, { withFileTypes: true });
      seen += entries.length;
      if (seen > SMALL) return false;
      folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)));
    }
    return true;
  } catch {
    return false;
  }
}

/** A folder may have lost its write permission (by a gate, unless it was root's); it gets it back first. */
const REMOVE = 'rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; } 2>/dev/null';

/** Removes in a program of its own, which continues after andon ends unless it is waited for. */
function remove(path: string, { isWaitedFor }: { readonly isWaitedFor: boolean }): Promise<void> {
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', REMOVE, 'sh', path], { stdio: 'ignore', cwd: '/', detached: true });
    child.once('error', () => done());
    child.once('exit', () => done());
    if (!isWaitedFor) child.unref();
  });
}

/** The bytes of a file, or of all files below a folder, without following links. */
export function countBytes(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  try {
    return readdirSync(path).reduce((sum, name) => sum + countBytes(join(path, name)), 0);
  } catch {
    return 0; // gone, or not readable
  }
}
