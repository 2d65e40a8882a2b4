import { watch } from 'node:fs';
import { join } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';

/** The folder in which a daemon lends the last lines of running calls; empty between calls. */
const FOLDER = 'live';
const NAME = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.(\d{1,9})\.json$/;
/** More than a daemon writes. */
const LARGEST = 1024 * 1024;

/** The file of one call. */
export const tailName = (taskId: string, call: number): string => `${FOLDER}/${taskId}.${call}.json`;

/** Empties the folder at the start of a daemon: a killed one leaves its last lines. */
export function clearTails(state: string): void {
  const door = openDir(state);
  door.makeFolder(FOLDER, 0o700);
  for (const { name } of door.entries(FOLDER)) door.remove(`${FOLDER}/${name}`);
}

/** The tail of one call, as it was written. */
export interface LentTail {
  readonly taskId: string;
  readonly call: number;
  /** When it was written last. */
  readonly at: number;
  readonly text: string;
}

/** Every tail of a repository, the one written last at the end. Unreadable ones are left out. */
export function readTails(state: string): readonly LentTail[] {
  const door = openDir(state);
  return door
    .entries(FOLDER)
    .flatMap(({ name }) => {
      const [, taskId, call] = NAME.exec(name) ?? [];
      const at = door.stat(`${FOLDER}/${name}`)?.mtimeMs;
      const read = door.text(`${FOLDER}/${name}`, LARGEST);
      return taskId === undefined || at === undefined || !read.ok || read.value === undefined
        ? []
        : [{ taskId, call: Number(call), at, text: read.value }];
    })
    .toSorted((one, other) => one.at - other.at);
}

/** Calls back when a tail may have changed; undefined where the folder is missing or cannot be watched. */
export function watchTails(state: string, changed: () => void, lost: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(join(state, FOLDER), { persistent: false }, changed);
    return watcher.on('error', () => {
      watcher.close();
      lost();
    });
  } catch {
    return undefined;
  }
}
