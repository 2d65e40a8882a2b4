import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Events } from '../../ports/events.ts';
import type { Journal } from '../../ports/journal.ts';

/** Who hears of a write is told at once; where the kernel does not tell of writes, the journal is asked so often. */
const ASKED_MS = 2000;

/**
 * The entries of the journal at `file` as they are written, by whichever process. `open` opens it for reading; undefined
 * while there is none. The kernel only says when to look: what happened is read from the journal.
 */
export function eventsOf(file: string, open: () => Journal | undefined): Events {
  return {
    follow(seq, told) {
      let journal: Journal | undefined;
      let watcher: FSWatcher | undefined;
      let last = seq;
      const read = (): void => {
        watcher ??= watchFor(file, read);
        journal ??= open();
        for (const { seq: at, taskId, entry } of journal?.since(last) ?? []) {
          last = at;
          told({ seq: at, taskId, entry });
        }
      };
      const timer = setInterval(read, ASKED_MS);
      read();
      return {
        close() {
          clearInterval(timer);
          watcher?.close();
          journal?.close();
        },
      };
    },
  };
}

/** SQLite writes entries into files that begin like the journal; undefined while its folder is not there, or cannot be watched. */
function watchFor(file: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(file), (_, name) => {
      if (name === null || name.startsWith(basename(file))) changed();
    });
    return watcher.on('error', () => watcher.close()); // it is asked now and then all the same
  } catch {
    return undefined;
  }
}
