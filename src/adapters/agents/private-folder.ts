import { randomUUID } from 'node:crypto';
import { openDir } from '../safe-fs.ts';
import { moveToTrash } from '../trash.ts';

/** A folder for one call, removed afterwards. */
export interface PrivateFolder {
  readonly path: string;
  /** Writes a file by its relative path and returns its absolute path. */
  write(name: string, text: string): string;
  /** Makes a folder and returns its absolute path. */
  folder(name: string): string;
  /** The text of a file, written by any process; undefined where no plain text file of at most that size exists. */
  read(name: string, most: number): string | undefined;
  remove(): void;
}

/** Parent of private folders in a state folder; leftovers of a crash are useless. */
export const HOMES = 'homes';

/** Makes a folder below `state` that only the user may read. */
export function makePrivateFolder(state: string): PrivateFolder {
  const door = openDir(state);
  const place = `${HOMES}/${randomUUID()}`;
  door.makeFolder(HOMES, 0o700);
  door.makeFolder(place, 0o700);
  return {
    path: door.place(place),
    write(name, text) {
      door.put(`${place}/${name}`, text, 0o600);
      return door.plain(`${place}/${name}`);
    },
    folder(name) {
      door.makeFolder(`${place}/${name}`, 0o700);
      return door.place(`${place}/${name}`);
    },
    read(name, most) {
      const found = door.text(`${place}/${name}`, most);
      return found.ok ? found.value : undefined;
    },
    remove: () => void moveToTrash(door.at(place)),
  };
}
