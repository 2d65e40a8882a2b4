import { parseJson } from '../../base/json-object.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { makePushKeys, type PushKeys, type PushSubscription } from './push-notifier.ts';

/** A browser that was let in. Its session is not kept, only the digest of it. */
export interface Device {
  readonly digest: string;
  /** Its user agent. */
  readonly name: string;
  /** When it was let in. */
  readonly at: string;
  /** The address of the board that let it in; a session that is overheard at an open address is worthless at another. */
  readonly board: string;
  /** Where it is notified; undefined where it did not ask for that. */
  readonly push?: PushSubscription;
}

export type Devices = ReturnType<typeof openDevices>;

/** A browser needs a new link after this time. */
const LIFE_MS = 90 * 24 * 3_600_000;
const FOLDER = 'web';
const FILE = `${FOLDER}/devices.json`;
const KEYS_FILE = `${FOLDER}/push-keys.json`;
const MOST_BYTES = 1_000_000;

/** The devices of a user, in the home of all states; an unreadable file counts as empty. */
export function openDevices(home: string) {
  const door = openDir(home);
  const text = (): string | undefined => {
    const found = door.text(FILE, MOST_BYTES);
    return found.ok ? found.value : undefined;
  };
  const parse = (json: string | undefined): readonly Device[] => {
    const all = parseJson(json ?? '[]');
    return Array.isArray(all) ? all.filter(isDevice) : [];
  };
  return {
    read: () => parse(text()),
    /** Replaces them all; `change` may be called again, since other processes change them too. */
    update(change: (all: readonly Device[]) => readonly Device[]): void {
      door.makeFolder(FOLDER, 0o700);
      for (;;) {
        const before = text();
        const all = `${JSON.stringify(change(parse(before)), null, 2)}\n`;
        if (door.write(FILE, all, () => text() === before)) return;
      }
    },
  };
}

/** Whether the session of a device is still good for something. */
export const isCurrentDevice = ({ at }: Device): boolean => Date.parse(at) > Date.now() - LIFE_MS;

/** The keys that sign notifications of this user, made at the first call and kept. */
export function keepPushKeys(home: string): PushKeys {
  const door = openDir(home);
  const kept = readPushKeys(home);
  if (kept !== undefined) return kept;
  const keys = makePushKeys();
  door.makeFolder(FOLDER, 0o700);
  door.put(KEYS_FILE, `${JSON.stringify(keys)}\n`, 0o600);
  return keys;
}

/** The keys, if they were made; undefined else. */
export function readPushKeys(home: string): PushKeys | undefined {
  const found = openDir(home).text(KEYS_FILE, MOST_BYTES);
  const keys = Object(parseJson((found.ok ? found.value : undefined) ?? '{}')) as Partial<PushKeys>;
  return typeof keys.publicKey === 'string' && typeof keys.privateKey === 'string' ? (keys as PushKeys) : undefined;
}

/** A device that is not notified at this address. */
export function withoutPush({ push, ...device }: Device, endpoint: string): Device {
  return push === undefined || push.endpoint === endpoint ? device : { ...device, push };
}

function isDevice(one: unknown): one is Device {
  const fields = Object(one) as Record<keyof Device, unknown>;
  return [fields.digest, fields.name, fields.at, fields.board].every((field) => typeof field === 'string');
}
