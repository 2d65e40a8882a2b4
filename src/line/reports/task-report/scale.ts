import type { StationSpan } from './station-spans.ts';
import { formatDuration } from './format-figures.ts';

type Period = Pick<StationSpan, 'kind' | 'from' | 'to'>;

/** A segment of the time axis: work keeps its proportions, a long pause is shortened and marked. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
  readonly isCut: boolean;
}

export interface Scale {
  readonly stretches: readonly Stretch[];
  readonly at: (moment: string | number) => number;
}

/** The largest share of the width for one pause, and for all of them. */
const IDLE_SHARE = 0.2;
const ALL_IDLE_SHARE = 0.8;

/** Maps a task's time to 0 to 100 percent; long halts do not squeeze the work. */
export function timeScale(spans: readonly Period[], from: string, to: string): Scale {
  const end = Math.max(Date.parse(to), Date.parse(from) + 1);
  const raw = [...alternate(spans, Date.parse(from), end)];
  const work = raw.filter(({ idle }) => !idle).reduce((sum, one) => sum + one.to - one.from, 0);
  const long = raw.filter(({ idle, from, to }) => idle && to - from > work * (IDLE_SHARE / 10)).length;
  const cap = work === 0 ? Infinity : work * Math.min(IDLE_SHARE, ALL_IDLE_SHARE / Math.max(1, long));
  const weighed = raw.map((one) => ({
    ...one,
    weight: one.idle ? Math.min(cap, one.to - one.from) : one.to - one.from,
  }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1;
  let x = 0;
  const stretches = weighed.map(({ from, to, weight }) => {
    const stretch = { from, to, x, width: (weight / total) * 100, isCut: weight < to - from };
    x += stretch.width;
    return stretch;
  });
  return { stretches, at: (moment) => place(stretches, typeof moment === 'number' ? moment : Date.parse(moment)) };
}

function* alternate(
  spans: readonly Period[],
  from: number,
  end: number,
): Generator<{ readonly from: number; readonly to: number; readonly idle: boolean }> {
  const busy = spans
    .filter(({ kind }) => kind === 'work')
    .map((span) => [clamp(Date.parse(span.from), from, end), clamp(Date.parse(span.to), from, end)] as const)
    .toSorted(([one], [other]) => one - other);
  let at = from;
  for (const [start, stop] of busy) {
    if (start > at) yield { from: at, to: start, idle: true };
    const begin = Math.max(at, start);
    if (stop > begin) yield { from: begin, to: stop, idle: false };
    at = Math.max(at, stop);
  }
  if (end > at) yield { from: at, to: end, idle: true };
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

function place(stretches: readonly Stretch[], moment: number): number {
  const first = stretches[0];
  if (first === undefined || moment <= first.from) return first?.x ?? 0;
  const stretch = stretches.find(({ to }) => moment <= to) ?? stretches.at(-1) ?? first;
  const share = clamp((moment - stretch.from) / (stretch.to - stretch.from || 1), 0, 1);
  return stretch.x + share * stretch.width;
}

/** A tick of the time axis; the text is the time since the task was dropped. */
export interface Tick {
  readonly x: number;
  readonly text: string;
  readonly anchor: 'start' | 'middle' | 'end';
  /** Its label has no room in a narrow drawing. */
  readonly isSpare: boolean;
}

/** Natural steps, in seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400];
/** The room of one label, in percent of the axis: on a phone it fits as well. */
const ROOM = 22;
/** The same in a drawing on a phone. */
export const NARROW_ROOM = 30;

/** Ticks at round times where time keeps its proportions, with room for labels; start and end always. */
export function computeTicks({ stretches, at }: Scale, start: number): readonly Tick[] {
  const end = stretches.at(-1)?.to ?? start;
  const last: Tick = { x: at(end), text: formatDuration(end - start), anchor: 'end', isSpare: false };
  const ticks: Tick[] = [{ x: at(start), text: '0', anchor: 'start', isSpare: false }];
  const drawn = stretches.filter(({ isCut }) => !isCut);
  const shown = drawn.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
  const step = (STEPS.find((one) => one * 6 >= shown) ?? 86_400) * 1000;
  for (const { from, to } of drawn)
    for (let moment = Math.max(1, Math.ceil((from - start) / step)) * step; start + moment < to; moment += step) {
      const x = at(start + moment);
      const before = ticks.at(-1)?.x ?? 0;
      const kept = ticks.findLast(({ isSpare }) => !isSpare)?.x ?? 0;
      const isSpare = x - kept < NARROW_ROOM || last.x - x < 1.5 * NARROW_ROOM;
      if (x - before >= ROOM && last.x - x >= 1.5 * ROOM)
        // the last label ends at its tick
        ticks.push({ x, text: round(moment), anchor: 'middle', isSpare });
    }
  return [...ticks, last];
}

/** Round times need no tenths. */
const round = (ms: number): string => (ms < 10_000 ? `${ms / 1000} s` : formatDuration(ms));
