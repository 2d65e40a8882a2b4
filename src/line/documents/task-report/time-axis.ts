import type { Scale } from './scale.ts';
import { formatDuration } from './words.ts';

/** A tick of the time axis; the text is the time since the task was dropped. */
export interface Tick {
  readonly x: number;
  readonly text: string;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Natural steps, in seconds. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400];
/** The room of one label, in percent of the axis: on a phone it fits as well. */
const ROOM = 22;

/** Ticks at round times where time keeps its proportions, with room for labels; start and end always. */
export function computeTicks({ stretches, at }: Scale, start: number): readonly Tick[] {
  const end = stretches.at(-1)?.to ?? start;
  const last: Tick = { x: at(end), text: formatDuration(end - start), anchor: 'end' };
  const ticks: Tick[] = [{ x: at(start), text: '0', anchor: 'start' }];
  const drawn = stretches.filter(({ isCut }) => !isCut);
  const shown = drawn.reduce((sum, { from, to }) => sum + to - from, 0) / 1000;
  const step = (STEPS.find((one) => one * 6 >= shown) ?? 86_400) * 1000;
  for (const { from, to } of drawn)
    for (let moment = Math.max(1, Math.ceil((from - start) / step)) * step; start + moment < to; moment += step) {
      const x = at(start + moment);
      if (x - (ticks.at(-1)?.x ?? 0) >= ROOM && last.x - x >= 1.5 * ROOM)
        // the last label ends at its tick
        ticks.push({ x, text: round(moment), anchor: 'middle' });
    }
  return [...ticks, last];
}

/** Round times need no tenths. */
const round = (ms: number): string => (ms < 10_000 ? `${ms / 1000} s` : formatDuration(ms));
