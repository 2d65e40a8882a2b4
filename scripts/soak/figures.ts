import { median, percentile } from '../bench/figures.ts';
import { ENOUGH_STEPS, type Bound } from './bounds.ts';
import type { Sample } from './sample.ts';
import type { Times } from './worker.ts';

/** A part of the long life of one process, and what the process held after it. */
export interface Leg extends Sample, Times {}

/** One figure, held to its bound unless the run is too short to show a trend. */
export interface Figure extends Bound {
  readonly value: number;
  readonly verdict: 'kept' | 'BROKEN' | 'too short to say';
}

/** What of a life counts as warming up: its restarts, and the time until every cache is as full as it may be. */
const WARM = 0.5;
const QUARTER = 0.25;

/** Holds what was counted at the end, and what the long life told, to the bounds. A figure that is no number keeps none. */
export function judge(
  counted: Readonly<Record<string, number>>,
  life: readonly Leg[],
  bounds: readonly Bound[],
): readonly Figure[] {
  const values: Readonly<Record<string, number>> = { ...counted, ...trends(life) };
  const steps = (life.at(-1)?.steps ?? 0) - (life[0]?.steps ?? 0);
  return bounds.map((bound) => {
    const value = values[bound.key] ?? Number.NaN;
    const isShort = bound.isTrend && steps < ENOUGH_STEPS;
    return { ...bound, value, verdict: isShort ? 'too short to say' : value <= bound.limit ? 'kept' : 'BROKEN' };
  });
}

function trends(life: readonly Leg[]): Readonly<Record<string, number>> {
  const warm = afterWarmUp(life);
  const [first, last] = quarters(warm);
  const inSpawns = (part: readonly Leg[], percent: number): number =>
    percentile(
      part.flatMap(({ times }) => times),
      percent,
    ) / median(part.flatMap(({ spawns }) => spawns));
  const ratio = (percent: number): number => inSpawns(last, percent) / inSpawns(first, percent);
  return {
    heap: slope(warm.map(({ steps: at, heap }) => [at, heap])),
    rss: slope(warm.map(({ steps: at, rss }) => [at, rss])),
    descriptors: spread(life.map(({ descriptors }) => descriptors)), // counts fill no cache: a restart may lose one early
    watches: spread(life.map(({ watches }) => watches)),
    resources: spread(life.map(({ resources }) => Object.values(resources).reduce((all, one) => all + one, 0))),
    median: ratio(50),
    p95: ratio(95),
    cpu: cpuPerStep(last) / cpuPerStep(first),
  };
}

/** The part of a life in which nothing may grow any more. */
export const afterWarmUp = (life: readonly Leg[]): readonly Leg[] => life.slice(Math.floor(life.length * WARM));

/** The first and the last quarter of it. */
export function quarters(legs: readonly Leg[]): readonly [readonly Leg[], readonly Leg[]] {
  const size = Math.max(2, Math.ceil(legs.length * QUARTER));
  return [legs.slice(0, size), legs.slice(-size)];
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** Milliseconds per step between the first and the last of these samples. */
export function cpuPerStep(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  return first === undefined || last === undefined ? Number.NaN : (last.cpu - first.cpu) / (last.steps - first.steps);
}

/** The slope of the straight line that fits these points best. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((all, point) => all + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((all, [a, b]) => all + (a - x) * (b - y), 0);
  return over / points.reduce((all, [a]) => all + (a - x) ** 2, 0);
}
