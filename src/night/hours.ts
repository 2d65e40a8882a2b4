import type { Hours, WeeklyWindow } from '../config/night-settings.ts';
import { findLocalMoment } from './local-moment.ts';

/** In milliseconds; the end is exclusive. */
export interface TimeRange {
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
    closes: isOpen ? inWords(first.to) : undefined,
    opens: next === undefined ? undefined : inWords(next.from),
  };
}

/** The open hours between two moments, in order and disjoint. Pure. */
export function openSpans({ open, closed }: Hours, from: number, to: number): readonly TimeRange[] {
  const all = [{ from, to }];
  const inside = open.length === 0 ? all : joined(open.flatMap((one) => spansOf(one, from, to)));
  return without(inside, joined(closed.flatMap((one) => spansOf(one, from, to)))).flatMap((span) =>
    within(span, from, to),
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

/** Merges overlapping or adjacent spans. */
function joined(spans: readonly TimeRange[]): readonly TimeRange[] {
  const whole: TimeRange[] = [];
  for (const span of spans.toSorted((one, two) => one.from - two.from)) {
    const last = whole.at(-1);
    if (last === undefined || span.from > last.to) whole.push(span);
    else whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return whole;
}

const without = (spans: readonly TimeRange[], taken: readonly TimeRange[]): readonly TimeRange[] =>
  taken.reduce<readonly TimeRange[]>(
    (left, { from, to }) =>
      left.flatMap((span) => [
        ...within(span, Number.NEGATIVE_INFINITY, from),
        ...within(span, to, Number.POSITIVE_INFINITY),
      ]),
    spans,
  );

/** The part of a span between two moments, if any. */
function within(span: TimeRange, from: number, to: number): readonly TimeRange[] {
  const part = { from: Math.max(span.from, from), to: Math.min(span.to, to) };
  return part.from < part.to ? [part] : [];
}

const inWords = (at: number): string => new Date(at).toISOString();
