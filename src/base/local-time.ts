/** A time in a journal as local and short text: `14:03` today (with its day on request), `21 Nov 14:03`, `2025-11-21 14:03`. */
export function formatLocalTime(at: string, now: Date, { seconds = false, day = false } = {}): string {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return at;
  const parts = [then.getHours(), then.getMinutes(), ...(seconds ? [then.getSeconds()] : [])];
  const time = parts.map(two).join(':');
  if (then.getFullYear() !== now.getFullYear())
    return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
  const isToday = then.getMonth() === now.getMonth() && then.getDate() === now.getDate();
  return isToday && !day ? time : `${then.getDate()} ${MONTHS[then.getMonth()] ?? ''} ${time}`;
}

/** A sentence with its ISO times replaced by local ones. */
export const withLocalTimes = (text: string, now: Date): string => replaceTimes(text, (at) => formatLocalTime(at, now));

/** A sentence with each of its ISO times formatted. */
export const replaceTimes = (text: string, format: (at: string) => string): string => text.replace(ISO_TIME, format);

const ISO_TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z(?!\.?\w)/g;
/**
 * A typed date, or date and time, as ISO time; undefined for any other text. JavaScript guesses at more: "monday 5" is a
 * day of 2001. A date alone is of UTC, a time without a zone is local.
 */
export function parseMoment(written: string): string | undefined {
  const [, date, time] = TYPED.exec(written) ?? [];
  if (date === undefined) return undefined;
  const day = new Date(`${date}T00:00Z`);
  const at = new Date(time === undefined ? date : `${date}T${time}`);
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date) && !Number.isNaN(at.getTime());
  return isReal ? at.toISOString() : undefined;
}

const TYPED = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?))?$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

/** Minutes since local midnight. */
export function getLocalMinute(at: string): number {
  const time = new Date(at);
  return time.getHours() * 60 + time.getMinutes();
}
