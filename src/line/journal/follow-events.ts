import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Problem } from '../../base/problem.ts';
import type { Journal, PlacedEntry } from './journal.ts';

/** Poll interval where the kernel does not report writes. */
const ASKED_MS = 2000;

/**
 * The entries of the journal at `file` as any process writes them. `open` opens it for reading; undefined while it does
 * not exist. The kernel only says when to read.
 */
export function followEvents(file: string, open: () => Journal | undefined) {
  return {
    /**
     * Calls `listener` once for every entry after `seq`, in order, past and future, even for a journal that does not exist
     * yet. When the journal can no longer be followed, it calls `ended` once with the reason.
     */
    follow(seq: number, listener: (what: PlacedEntry) => void, ended: (why: unknown) => void): { close(): void } {
      let journal: Journal | undefined;
      let opened: string | undefined;
      let watcher: FSWatcher | undefined;
      let isOver = false;
      let last = seq;
      const close = (): void => {
        if (isOver) return;
        isOver = true;
        clearInterval(timer);
        watcher?.close();
        journal?.close();
      };
      const read = (): void => {
        watcher ??= watchFor(file, look);
        const there = fileIdentity(file);
        if (journal !== undefined && there !== opened) throw createGoneProblem(file);
        if (journal === undefined && there !== undefined) [journal, opened] = [open(), there];
        for (const { seq: at, taskId, entry } of journal?.since(last) ?? []) {
          last = at;
          listener({ seq: at, taskId, entry });
        }
      };
      const look = (): void => {
        if (isOver) return;
        try {
          read();
        } catch (error) {
          if (isBusy(error)) return; // the next poll tries again
          close();
          ended(error);
        }
      };
      const timer = setInterval(look, ASKED_MS);
      look();
      return { close };
    },
  };
}

const createGoneProblem = (file: string): Problem =>
  new Problem(
    'journal-gone',
    `the journal ${file} was moved, removed or replaced while it was followed`,
    'run the command again to follow the current one',
    1,
  );

const isBusy = (error: unknown): boolean => error instanceof Error && /\bis locked\b/.test(error.message);

/** Which file is at a path; undefined where it does not exist. */
export function fileIdentity(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

/** SQLite's files begin with the name of the journal; undefined while the folder is missing or cannot be watched. */
function watchFor(file: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(file), (_, name) => {
      if (name === null || name.startsWith(basename(file))) changed();
    });
    return watcher.on('error', () => watcher.close()); // the poll continues
  } catch {
    return undefined;
  }
}
