import { isDiskFull, isDiskTrouble } from '../../base/disk-trouble.ts';

/** A disk that fails this often within the time, although it takes writes in between, halts the task. */
const WAITS = 4;
const WITHIN_MS = 10 * 60_000;

/** Whether a failed step waits for the disk: always for a full disk, a few times for a failing one. */
export function isWaitedFor(place: string, words: string): boolean {
  if (isDiskFull(words)) return true; // a halt could not be written down either
  if (!isDiskTrouble(words)) return false;
  const now = performance.now();
  const recent = (failures.get(place) ?? []).filter((at) => now - at < WITHIN_MS);
  failures.set(place, [...recent, now]);
  return recent.length < WAITS;
}

/** When each place's disk failed; it outlives the watchdog, which starts again when the disk is better. */
const failures = new Map<string, readonly number[]>();
