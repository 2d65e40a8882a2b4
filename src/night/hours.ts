import type { Hours, WeeklyWindow } from '../config/night-settings.ts';
import { localMoment } from './local-moment.ts';

/** A time between two moments, in milliseconds; the end belongs to what follows. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 24 * 3_600_000;
/** Windows come back every week; the second one shows a window whole that has begun, or that a clock change cuts short. */
const AHEAD_MS = 15 * DAY_MS;

/** Whether something may begin, and when it may where it may not. */
type MayBegin =
  | { readonly may: true }
  | {
      readonly may: false;
      /** It is closed now, or closes before what begins could be over. */
      readonly because: 'closed' | 'too late';
      /** When the hours close, where they are open. */
      readonly closes: string | undefined;
      /** When it may begin; undefined = never: no time that is open is long enough. */
      readonly opens: string | undefined;
    };

/** Whether what takes so many minutes at most may begin now, so that it is over while the hours are still open. Pure. */
export function mayBegin(hours: Hours, at: string, minutes: number): MayBegin {
  const now = Date.parse(at);
  const end = now + AHEAD_MS;
  const spans = openSpans(hours, now, end);
  const fits = ({ from, to }: Span): boolean => to - from >= minutes * 60_000 || (from === now && to === end);
  const [first] = spans;
  const isOpen = first?.from === now;
  if (isOpen && fits(first)) return { may: true };
  const next = spans.find((span) => span.from > now && fits(span));
  return {
    may: false,
    because: isOpen ? 'too late' : 'closed',
    closes: isOpen ? inWords(first.to) : undefined,
    opens: next === undefined ? undefined : inWords(next.from),
  };
}

/** The times between two moments at which the hours are open, in order, none touching another. Pure. */
export function openSpans({ open, closed }: Hours, from: number, to: number): readonly Span[] {
  const all = [{ from, to }];
  const inside = open.length === 0 ? all : joined(open.flatMap((one) => spansOf(one, from, to)));
  return without(inside, joined(closed.flatMap((one) => spansOf(one, from, to)))).flatMap((span) =>
    within(span, from, to),
  );
}

/** The days are looked at from the one before: a window may go on over midnight. */
function spansOf({ days, begins, ends }: WeeklyWindow, from: number, to: number): readonly Span[] {
  const first = new Date(from);
  const spans: Span[] = [];
  for (let day = -1; ; day += 1) {
    const noon = new Date(first.getFullYear(), first.getMonth(), first.getDate() + day, 12);
    const span = {
      from: localMoment(noon, 0, begins),
      to: localMoment(noon, ends > begins ? 0 : 1, ends),
    };
    if (span.from >= to) return spans;
    if (days.includes(noon.getDay()) && span.to > span.from) spans.push(span);
  }
}

/** Spans that overlap or touch become one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const whole: Span[] = [];
  for (const span of spans.toSorted((one, two) => one.from - two.from)) {
    const last = whole.at(-1);
    if (last === undefined || span.from > last.to) whole.push(span);
    else whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return whole;
}

const without = (spans: readonly Span[], taken: readonly Span[]): readonly Span[] =>
  taken.reduce<readonly Span[]>(
    (left, { from, to }) =>
      left.flatMap((span) => [
        ...within(span, Number.NEGATIVE_INFINITY, from),
        ...within(span, to, Number.POSITIVE_INFINITY),
      ]),
    spans,
  );

/** The part of a span that lies between two moments, if any. */
function within(span: Span, from: number, to: number): readonly Span[] {
  const part = { from: Math.max(span.from, from), to: Math.min(span.to, to) };
  return part.from < part.to ? [part] : [];
}

const inWords = (at: number): string => new Date(at).toISOString();
