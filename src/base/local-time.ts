/** A time in a journal as local and short text: `14:03` today, `21 Nov 14:03`, `2025-11-21 14:03`. */
export function formatLocalTime(at: string, now: Date, { seconds = false } = {}): string {
  const then = new Date(at);
  if (Number.isNaN(then.getTime())) return at;
  const parts = [then.getHours(), then.getMinutes(), ...(seconds ? [then.getSeconds()] : [])];
  const time = parts.map(two).join(':');
  if (then.getFullYear() !== now.getFullYear())
    return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
  const isToday = then.getMonth() === now.getMonth() && then.getDate() === now.getDate();
  return isToday ? time : `${then.getDate()} ${MONTHS[then.getMonth()] ?? ''} ${time}`;
}

/** A sentence with its ISO times replaced by local ones. */
export const withLocalTimes = (text: string, now: Date): string =>
  text.replace(MOMENT, (at) => formatLocalTime(at, now));

const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z(?![\w.])/g;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');
