import { readJson } from '../../base/json.ts';

/** A time in which a watchdog ran. */
export interface Watched {
  readonly from: string;
  readonly to: string;
  /** How it ended: told to stop, without a word, by sleep; or not yet. */
  readonly end: 'stopped' | 'broke off' | 'slept' | 'runs';
}

/** So many times are kept; older ones are in no digest any more. */
const MOST = 200;
/** Without a sign of life for so long, a watchdog was not there: one is given every minute. */
export const ABSENT_MS = 150_000;

/** The times as they were taken down; undefined where they cannot be read. */
export function readWatched(text: string | undefined): readonly Watched[] | undefined {
  const read = readJson(text ?? '');
  return read.ok && Array.isArray(read.value.value) && read.value.value.every(isWatched) ? read.value.value : undefined;
}

const ENDS: readonly unknown[] = ['stopped', 'broke off', 'slept', 'runs'] satisfies readonly Watched['end'][];

function isWatched(value: unknown): value is Watched {
  const { from, to, end } = Object(value) as Partial<Record<keyof Watched, unknown>>;
  return isMoment(from) && isMoment(to) && ENDS.includes(end);
}

const isMoment = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** A watchdog begins; one that ended without a word was there until its last sign of life. */
export const begun = (times: readonly Watched[], at: string, lastSign: string | undefined): readonly Watched[] =>
  [...closed(times, lastSign ?? at, 'broke off'), { from: at, to: at, end: 'runs' as const }].slice(-MOST);

/** A watchdog gives a sign of life after it gave none for too long: the machine slept. Undefined while all is as usual. */
export function afterSleep(times: readonly Watched[], lastSign: string, at: string): readonly Watched[] | undefined {
  if (Date.parse(at) - Date.parse(lastSign) < ABSENT_MS) return undefined;
  return [...closed(times, lastSign, 'slept'), { from: at, to: at, end: 'runs' as const }].slice(-MOST);
}

/** The last time has ended. */
export const closed = (times: readonly Watched[], at: string, end: Watched['end']): readonly Watched[] =>
  times.map((one, index) => (index === times.length - 1 && one.end === 'runs' ? { ...one, to: at, end } : one));
