const MINUTE_MS = 60_000;
/** The largest shift of a clock to consider. */
const LONGEST_SKIP_MS = 3 * 3_600_000;

/**
 * The moment at which local clocks show this minute of the day of `moment`, plus `days`. A repeated time yields its
 * first occurrence; a skipped time yields the moment of the shift.
 */
export function findLocalMoment(day: Date, days: number, minute: number): number {
  const at = new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, 0, minute);
  const shown = at.getHours() * 60 + at.getMinutes();
  return shown === minute % 1440 ? at.getTime() : skipBefore(at.getTime());
}

/** When the clock was put forward over a time that it never showed. */
function skipBefore(at: number): number {
  const offset = offsetAt(at);
  let [before, after] = [at - LONGEST_SKIP_MS, at];
  if (offsetAt(before) === offset) return at;
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / MINUTE_MS / 2) * MINUTE_MS;
    if (offsetAt(middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

const offsetAt = (at: number): number => new Date(at).getTimezoneOffset();
