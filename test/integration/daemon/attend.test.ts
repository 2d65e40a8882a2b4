import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readWatched } from '../../../src/line/digest/watched.ts';
import { attend } from '../../../src/daemon/watch/attend.ts';
import { attendanceIn } from '../../../src/wiring/attendance.ts';
import { eventually } from '../../support/factory.ts';

function aState(): string {
  const folder = mkdtempSync(join(tmpdir(), 'andon-attend-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const timesIn = (state: string) => readWatched(attendanceIn(state).times());

describe('a watchdog that runs', () => {
  it('is taken down, with the time in which the machine slept', async () => {
    const state = aState();
    let now = '2026-01-16T22:00:00.000Z';
    const attending = attend(state, () => now, 5);
    expect(timesIn(state)).toEqual([{ from: now, to: now, end: 'runs' }]);
    now = '2026-01-17T04:00:00.000Z';
    await eventually(() => timesIn(state)?.length === 2, 'the sleep is noticed');
    now = '2026-01-17T04:01:00.000Z';
    attending.stop();
    expect(timesIn(state)).toEqual([
      { from: '2026-01-16T22:00:00.000Z', to: '2026-01-16T22:00:00.000Z', end: 'slept' },
      { from: '2026-01-17T04:00:00.000Z', to: '2026-01-17T04:01:00.000Z', end: 'stopped' },
    ]);
  });

  it('goes on where its notes cannot be written, or are torn', () => {
    const state = aState();
    mkdirSync(join(state, 'watched.json'));
    attend(state, () => new Date().toISOString()).stop();
    expect(timesIn(state)).toBeUndefined();
    const torn = aState();
    writeFileSync(join(torn, 'watched.json'), '[{"fr');
    attend(torn, () => new Date().toISOString()).stop();
    expect(timesIn(torn)).toMatchObject([{ end: 'stopped' }]);
  });
});
