import { describe, expect, it } from 'vitest';
import { afterSleep, begun, closed, readWatched } from '../../../../src/line/digest/watched.ts';

const at = (minutes: number): string =>
  new Date(Date.parse('2026-01-16T22:00:00.000Z') + minutes * 60_000).toISOString();
const runs = (from: number) => ({ from: at(from), to: at(from), end: 'runs' }) as const;

describe('the times in which a watchdog ran', () => {
  it('begin with a start and end with a stop', () => {
    const one = begun([], at(0), undefined);
    expect(one).toEqual([runs(0)]);
    expect(closed(one, at(9), 'stopped')).toEqual([{ from: at(0), to: at(9), end: 'stopped' }]);
  });

  it('end at the last sign of life where nobody said that they end', () => {
    expect(begun([runs(0)], at(60), at(7))).toEqual([{ from: at(0), to: at(7), end: 'broke off' }, runs(60)]);
    const stopped = closed([runs(0)], at(5), 'stopped');
    expect(begun(stopped, at(60), at(5))).toEqual([...stopped, runs(60)]);
  });

  it('are two where the machine slept between two signs of life', () => {
    expect(afterSleep([runs(0)], at(10), at(12))).toBeUndefined();
    expect(afterSleep([runs(0)], at(10), at(190))).toEqual([{ from: at(0), to: at(10), end: 'slept' }, runs(190)]);
  });

  it('are read as they were written, and not at all when anything of them is torn', () => {
    const times = begun([], at(0), undefined);
    expect(readWatched(JSON.stringify(times))).toEqual(times);
    for (const text of [undefined, '', '[', '{}', '[{"from": 1}]', '[{"from": "x", "to": "y", "end": "runs"}]'])
      expect(readWatched(text)).toBeUndefined();
  });

  it('are not kept for ever', () => {
    let times = begun([], at(0), undefined);
    for (let minute = 1; minute < 500; minute += 1) times = begun(times, at(minute), undefined);
    expect([times.length, times.at(-1)]).toEqual([200, runs(499)]);
  });
});
