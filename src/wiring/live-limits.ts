import { readIfThere } from '../adapters/settings/places.ts';
import { inOneTerminalLine } from '../base/plain-text.ts';
import { accountFaults, readLimits } from '../config/user-limits.ts';
import type { UserLimits } from '../config/user-limits.ts';
import { shippedDrivers } from './open-place.ts';
import type { Place } from './open-place.ts';
import type { News } from './services.ts';

/** An editor may save in pieces: what was changed counts once it has stayed as it is for so long. */
const SETTLE_MS = 200;

/**
 * The user's hours and ceilings as the configuration says them now: read again whenever they are asked for, so that a
 * watchdog need not be started anew. A file with a fault is told once, and changes nothing: the limits stay as they were.
 */
export function liveLimits(
  { userConfig, settings }: Pick<Place, 'userConfig' | 'settings'>,
  say: (news: News) => void,
): () => UserLimits {
  let limits: UserLimits = { hours: settings.hours, ceilings: settings.ceilings };
  // What the settings were read from may have been changed since; where there never was a file, none is missed.
  const first = textOf(userConfig);
  let taken: typeof first | typeof NOT_READ = first === undefined ? undefined : NOT_READ;
  let seen = { text: first, since: Number.NEGATIVE_INFINITY };
  const word = (level: 'info' | 'warn', text: string): void => say({ kind: 'word', level, text });
  return () => {
    const text = textOf(userConfig);
    if (text === taken) return limits;
    if (text !== seen.text) seen = { text, since: performance.now() };
    if (performance.now() - seen.since < SETTLE_MS) return limits;
    taken = text;
    const read = typeof text === 'symbol' ? CANNOT : readLimits({ name: userConfig, text });
    const faults = read.ok ? accountFaults(userConfig, { ...settings, ...read.value }, shippedDrivers) : read.why;
    if (!read.ok || faults.length > 0) {
      word('warn', `hours and ceilings stay as they were: ${inOneTerminalLine(faults[0] ?? '', 400)}`);
      return limits;
    }
    if (JSON.stringify(read.value) !== JSON.stringify(limits))
      word('info', `hours and ceilings are now those that ${inOneTerminalLine(userConfig, 200)} says`);
    limits = read.value;
    return limits;
  };
}

const NOT_READ = Symbol('not read');
const UNREADABLE = Symbol('unreadable');
const CANNOT = { ok: false as const, why: ['your configuration is no plain file that can be read'] };

/** The text as it lies there; undefined where nothing does. */
function textOf(file: string): string | undefined | typeof UNREADABLE {
  try {
    return readIfThere(file);
  } catch {
    return UNREADABLE;
  }
}
