import { randomUUID } from 'node:crypto';
import { openDir } from '../../base/system/safe-fs.ts';
import { moveToTrash } from '../../base/system/trash.ts';

/** A folder for one call, removed afterwards. */
export type PrivateFolder = ReturnType<typeof makePrivateFolder>;

/** Parent of private folders in a state folder; leftovers of a crash are useless. */
export const HOMES = 'homes';

/** Makes a folder below `state` that only the user may read. */
export function makePrivateFolder(state: string) {
  const door = openDir(state);
  const place = `${HOMES}/${randomUUID()}`;
  door.makeFolder(HOMES, 0o700);
  door.makeFolder(place, 0o700);
  return {
    path: door.place(place),
    /** Writes a file by its relative path and returns its absolute path. */
    write(name: string, text: string): string {
      door.put(`${place}/${name}`, text, 0o600);
      return door.plain(`${place}/${name}`);
    },
    /** Makes a folder and returns its absolute path. */
    folder(name: string): string {
      door.makeFolder(`${place}/${name}`, 0o700);
      return door.place(`${place}/${name}`);
    },
    /** The text of a file, written by any process; undefined where no plain text file of at most that size exists. */
    read(name: string, most: number): string | undefined {
      const found = door.text(`${place}/${name}`, most);
      return found.ok ? found.value : undefined;
    },
    remove: (): void => void moveToTrash(door.at(place)),
  };
}
