/** When the digest of a day is due; days follow the local calendar. */
export interface Due {
  /** The day of the last due digest. */
  readonly day: string;
  readonly at: string;
  readonly next: string;
}

/**
 * The last and the next due time of a digest, at a minute of the local day. Both come from the calendar, not from
 * adding 24 hours: a day may have 23 or 25. A skipped time is the moment right after.
 */
export function computeDue(minute: number, now: string): Due {
  const then = new Date(now);
  const on = (days: number): Date =>
    new Date(then.getFullYear(), then.getMonth(), then.getDate() + days, Math.floor(minute / 60), minute % 60);
  const isOver = on(0) <= then;
  const last = on(isOver ? 0 : -1);
  return { day: dayOf(last), at: last.toISOString(), next: on(isOver ? 1 : 0).toISOString() };
}

/** A digest later than this says so. */
const LATE_MS = 15 * 60_000;

/** Whether a digest is so late that it must say so: no daemon watched at its time, or the machine slept. */
export const isLate = (due: string, now: string): boolean => Date.parse(now) - Date.parse(due) > LATE_MS;

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
