/** When the digest of a day is due; a day is named as the local calendar does. */
export interface Due {
  /** The day whose digest was due last. */
  readonly day: string;
  readonly at: string;
  /** When the next one is due. */
  readonly next: string;
}

/**
 * The last time a digest was due, and the next, at a minute of the local day. Each is built from the calendar, never by
 * adding 24 hours: a day has 23 or 25 of them twice a year, and a time that a clock leaves out is the one right after.
 */
export function dueAt(minute: number, now: string): Due {
  const then = new Date(now);
  const on = (days: number): Date =>
    new Date(then.getFullYear(), then.getMonth(), then.getDate() + days, Math.floor(minute / 60), minute % 60);
  const isOver = on(0) <= then;
  const last = on(isOver ? 0 : -1);
  return { day: dayOf(last), at: last.toISOString(), next: on(isOver ? 1 : 0).toISOString() };
}

/** Later than this is said to be late. */
const LATE_MS = 15 * 60_000;

/** Whether a digest comes so late that it has to say so: nobody watched at its time, or the machine slept. */
export const isLate = (due: string, now: string): boolean => Date.parse(now) - Date.parse(due) > LATE_MS;

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
