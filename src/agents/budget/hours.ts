import type { Hours, WeeklyWindow, PeriodName } from '../../project/config/night-settings.ts';

/** In milliseconds; the end is exclusive. */
interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 24 * 3_600_000;
/** Windows repeat every week; the second week completes a window that has begun or that a clock change shortens. */
const AHEAD_MS = 15 * DAY_MS;

type MayBegin =
  | { readonly may: true }
  | {
      readonly may: false;
      /** It is closed, or closes before the step could end. */
      readonly because: 'closed' | 'too late';
      readonly closes: string | undefined;
      readonly opens: string | undefined;
    };

/** Whether a step of at most this many minutes may start now and end within the open hours. Pure. */
export function mayBegin(hours: Hours, at: string, minutes: number): MayBegin {
  const now = Date.parse(at);
  const end = now + AHEAD_MS;
  const spans = openSpans(hours, now, end);
  const fits = ({ from, to }: TimeRange): boolean => to - from >= minutes * 60_000 || (from === now && to === end);
  const [first] = spans;
  const isOpen = first?.from === now;
  if (isOpen && fits(first)) return { may: true };
  const next = spans.find((span) => span.from > now && fits(span));
  return {
    may: false,
    because: isOpen ? 'too late' : 'closed',
    closes: isOpen ? formatMoment(first.to) : undefined,
    opens: next === undefined ? undefined : formatMoment(next.from),
  };
}

/** The open hours between two moments, in order and disjoint. Pure. */
export function openSpans({ open, closed }: Hours, from: number, to: number): readonly TimeRange[] {
  const all = [{ from, to }];
  const inside = open.length === 0 ? all : mergeSpans(open.flatMap((one) => spansOf(one, from, to)));
  return subtractSpans(inside, mergeSpans(closed.flatMap((one) => spansOf(one, from, to)))).flatMap((span) =>
    clipSpan(span, from, to),
  );
}

/** Begins a day earlier: a window may extend over midnight. */
function spansOf({ days, begins, ends }: WeeklyWindow, from: number, to: number): readonly TimeRange[] {
  const first = new Date(from);
  const spans: TimeRange[] = [];
  for (let day = -1; ; day += 1) {
    const noon = new Date(first.getFullYear(), first.getMonth(), first.getDate() + day, 12);
    const span = {
      from: findLocalMoment(noon, 0, begins),
      to: findLocalMoment(noon, ends > begins ? 0 : 1, ends),
    };
    if (span.from >= to) return spans;
    if (days.includes(noon.getDay()) && span.to > span.from) spans.push(span);
  }
}

function mergeSpans(spans: readonly TimeRange[]): readonly TimeRange[] {
  const whole: TimeRange[] = [];
  for (const span of spans.toSorted((one, two) => one.from - two.from)) {
    const last = whole.at(-1);
    if (last === undefined || span.from > last.to) whole.push(span);
    else whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return whole;
}

const subtractSpans = (spans: readonly TimeRange[], taken: readonly TimeRange[]): readonly TimeRange[] =>
  taken.reduce<readonly TimeRange[]>(
    (left, { from, to }) =>
      left.flatMap((span) => [
        ...clipSpan(span, Number.NEGATIVE_INFINITY, from),
        ...clipSpan(span, to, Number.POSITIVE_INFINITY),
      ]),
    spans,
  );

function clipSpan(span: TimeRange, from: number, to: number): readonly TimeRange[] {
  const part = { from: Math.max(span.from, from), to: Math.min(span.to, to) };
  return part.from < part.to ? [part] : [];
}

const formatMoment = (at: number): string => new Date(at).toISOString();

/**
 * The moment at which local clocks show this minute of that day, plus `days`. A repeated time is its first
 * occurrence; a skipped time is the moment of the shift, so that a window that begins in it loses nothing after it.
 */
export function findLocalMoment(day: Date, days: number, minute: number): number {
  const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate() + days];
  const wanted = Date.UTC(year, month, date, 0, minute);
  let at = new Date(year, month, date, 0, minute).getTime(); // of a skipped time, as long after the shift
  while (clockAt(at - MINUTE_MS) > wanted) at -= MINUTE_MS;
  return at;
}

const MINUTE_MS = 60_000;

/** What local clocks show, as a number that can be compared. */
const clockAt = (at: number): number => at - new Date(at).getTimezoneOffset() * MINUTE_MS;

const NOON = 12 * 60;

/** The night, day or month of a moment by the local calendar; a night lasts from noon to noon. Pure. */
export function findPeriod(name: PeriodName, at: string): { readonly from: string; readonly to: string } {
  const then = new Date(at);
  const on = (days: number, minute: number): string => new Date(findLocalMoment(then, days, minute)).toISOString();
  if (name === 'month') {
    const first = (months: number): string =>
      new Date(findLocalMoment(new Date(then.getFullYear(), then.getMonth() + months, 1, 12), 0, 0)).toISOString();
    return { from: first(0), to: first(1) };
  }
  if (name === 'day') return { from: on(0, 0), to: on(1, 0) };
  return on(0, NOON) <= then.toISOString()
    ? { from: on(0, NOON), to: on(1, NOON) }
    : { from: on(-1, NOON), to: on(0, NOON) };
}

/** The next moment after this one at which local clocks show a minute of the day. Pure. */
export function findNextMoment(minute: number, at: string): string {
  const then = new Date(at);
  const today = findLocalMoment(then, 0, minute);
  return new Date(today > then.getTime() ? today : findLocalMoment(then, 1, minute)).toISOString();
}
