import type { StationSpan } from './spans.ts';

type Period = Pick<StationSpan, 'kind' | 'from' | 'to'>;

/** A segment of the time axis: work keeps its proportions, a long pause is shortened and marked. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly width: number;
  readonly isCut: boolean;
}

/** Maps moments to positions. */
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

/** Splits a task's time into work and pauses. */
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
