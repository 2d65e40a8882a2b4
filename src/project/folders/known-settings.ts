import { deserialize, serialize } from 'node:v8';
import { openDir } from '../../base/system/safe-fs.ts';
import { collectSecretValues } from '../config/collect-secret-values.ts';
import type { KnownSettings, Settings } from '../config/read-settings.ts';

/** In the state folder: the settings that were read last. To check a configuration takes longer than most commands. */
const FILE = 'known-settings';
const LARGEST = 256 * 1024;
/** Those of the checkout, and those that the target commits. */
const MOST = 2;

/**
 * The settings that this program made of the same texts before; `program` identifies its code: in the bundle, the name of
 * a file that holds the digest of its content. Without `program` (in a clone) nothing is known.
 */
export function openKnownSettings(state: string, program = bundled(import.meta.url)): KnownSettings {
  if (program === undefined) return { read: (_, make) => make(), keep: () => {} };
  let hasNews = false;
  let known: ReadonlyMap<string, Settings> | undefined;
  return {
    read: (texts, make) => {
      known ??= readKnown(state);
      const key = JSON.stringify([program, texts]);
      const before = known.get(key);
      if (before !== undefined) return { ok: true, value: before };
      const made = make();
      // A secret stays in the one file that its owner wrote it into.
      if (!made.ok || collectSecretValues(made.value, {}).length > 0) return made;
      known = new Map([...[...known].slice(1 - MOST), [key, made.value]]);
      hasNews = true;
      return made;
    },
    keep: () => {
      if (hasNews) keepKnown(state, known);
      hasNews = false;
    },
  };
}

const bundled = (file: string): string | undefined => (file.endsWith('.js') ? file : undefined);

function readKnown(state: string): ReadonlyMap<string, Settings> {
  const read = openDir(state).text(FILE, LARGEST);
  try {
    const value: unknown = read.ok && read.value !== undefined && deserialize(Buffer.from(read.value, 'base64'));
    return value instanceof Map ? value : new Map();
  } catch {
    return new Map();
  }
}

function keepKnown(state: string, known: unknown): void {
  try {
    const text = serialize(known).toString('base64');
    if (text.length <= LARGEST) openDir(state).put(FILE, text, 0o600);
  } catch {
    // a full disk; the configuration is checked the next time
  }
}
