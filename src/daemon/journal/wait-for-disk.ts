import { isDiskFull, isDiskTrouble } from '../../base/disk-trouble.ts';

/** A disk that fails so often in that time although it takes writes in between is for a human to look at. */
const WAITS = 4;
const WITHIN_MS = 10 * 60_000;

/** Whether a step that failed is done again when the disk is better: a full one always, one that errs a few times. */
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
