import { parseJson } from '../../base/json-object.ts';
import { openDir } from '../../wiring/files.ts';

/** A browser that was let in. Its session is not kept, only the digest of it. */
export interface Device {
  readonly digest: string;
  /** Its user agent. */
  readonly name: string;
  /** When it was let in. */
  readonly at: string;
  /** The address of the board that let it in; a session that is overheard at an open address is worthless at another. */
  readonly board: string;
}

export interface Devices {
  read(): readonly Device[];
  write(all: readonly Device[]): void;
}

const FOLDER = 'web';
const FILE = `${FOLDER}/devices.json`;
const MOST_BYTES = 1_000_000;

/** The devices of a user, in the home of all states; an unreadable file counts as empty. */
export function openDevices(home: string): Devices {
  const door = openDir(home);
  return {
    read() {
      const found = door.text(FILE, MOST_BYTES);
      const all = parseJson((found.ok ? found.value : undefined) ?? '[]');
      return Array.isArray(all) ? all.filter(isDevice) : [];
    },
    write(all) {
      door.makeFolder(FOLDER, 0o700);
      door.write(FILE, `${JSON.stringify(all, null, 2)}\n`);
    },
  };
}

function isDevice(one: unknown): one is Device {
  const fields = Object(one) as Record<keyof Device, unknown>;
  return [fields.digest, fields.name, fields.at, fields.board].every((field) => typeof field === 'string');
}
