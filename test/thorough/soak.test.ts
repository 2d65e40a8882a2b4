/** @module-tag thorough */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { BOUNDS } from '../../scripts/soak/bounds.ts';
import { judge, type Figure, type Leg } from '../../scripts/soak/figures.ts';
import { LIVES } from '../../scripts/soak/lives.ts';
import { WrongInput, readOptions, readStorm } from '../../scripts/soak/options.ts';
import { lookAtEnd } from '../../scripts/soak/look-at-end.ts';
import { runShift } from '../../scripts/soak/run-shift.ts';
import { openStage, type Stage } from '../../scripts/soak/stage.ts';
import type { Shift } from '../../scripts/soak/worker.ts';
import { patience } from '../support/patience.ts';

const SOAK = join(import.meta.dirname, '../../scripts/soak.ts');

function soak(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SOAK, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe('the soak command', () => {
  test.each([
    [['--fast'], '"--fast" is not known here'],
    [['--steps'], '--steps needs a value'],
    [['--steps', 'many'], '--steps must be a whole number from 1 on'],
    [['--bound', 'luck=1'], '--bound takes KEY=NUMBER'],
    [['--storm', '--minutes', '60'], '--minutes must be at most 15'],
    [['--storm', '--steps', '5'], '"--steps" is not known in a storm'],
  ])('refuses %j in one sentence that says what to type', (args, sentence) => {
    const read = (): unknown => readStorm(args) ?? readOptions(args);
    expect(read).toThrow(WrongInput);
    expect(read).toThrow(sentence);
    expect(read).toThrow(/^[^\n]+$/);
  });

  test('says what is refused on the error stream alone, and ends with 2', async () => {
    const { code, stdout, stderr } = await soak('--fast');
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
    expect(stderr).toContain('"--fast" is not known here');
  });

  test('works through scripted tasks across a kill and a restart, and ends with 1 when a bound is broken', async () => {
    const { code, stdout, stderr } = await soak(
      '--steps',
      '100',
      '--kills',
      '1',
      '--bound',
      'descriptors=-1',
      '--json',
    );
    expect(stderr).toBe('');
    const said = JSON.parse(stdout) as {
      ends: { steps: number; tasks: number; merged: number; abandoned: number; wrong: object };
      figures: Figure[];
    };
    expect(said.ends.steps).toBeGreaterThanOrEqual(100);
    expect(said.ends.merged + said.ends.abandoned).toBe(said.ends.tasks);
    expect(said.ends.wrong).toEqual({ tasks: [], merges: [], journals: [] });
    const broken = said.figures.filter(({ verdict }) => verdict === 'BROKEN').map(({ key }) => key);
    expect({ code, broken }).toEqual({ code: 1, broken: ['descriptors'] });
  });

  test('brings to its end what a killed life left, even if the journals hold enough steps already', async () => {
    const stage = await openStage(1, undefined);
    try {
      const shift = { folders: stage.folders, atOnce: 1, until: 1, samples: 1, restarts: 0 };
      await killAtWork(stage, shift);
      expect(await runShift(stage, shift, () => {}).ended).toBe(0);
      const ends = await lookAtEnd(stage);
      expect(ends.wrong).toEqual({ tasks: [], merges: [], journals: [] });
      expect(ends.merged).toBe(ends.tasks);
    } finally {
      stage.close();
    }
  });
});

/** Kills a life in the middle of a task. One that was killed between two tasks left nothing, so another is begun. */
async function killAtWork(stage: Stage, shift: Shift): Promise<void> {
  for (;;) {
    const { steps: before } = await lookAtEnd(stage);
    const killed = runShift(stage, { ...shift, until: before + 1 }, () => {});
    await vi.waitUntil(async () => (await lookAtEnd(stage)).steps > before, { timeout: patience(), interval: 10 });
    killed.kill();
    await killed.ended;
    const left = await lookAtEnd(stage);
    if (left.merged < left.tasks) return;
  }
}

describe('a long life', () => {
  const leg = (at: number, more: Partial<Leg> = {}): Leg => ({
    steps: at * 1000,
    restarts: 1,
    heap: 50_000_000,
    rss: 200_000_000,
    descriptors: 30,
    watches: 60,
    resources: { FSEventWrap: 60, Timeout: 20 },
    cpu: at * 5000,
    at: at * 10_000,
    spawns: [5, 5],
    times: [10, 11, 12],
    ...more,
  });
  const life = (more: (at: number) => Partial<Leg>): readonly Leg[] =>
    Array.from({ length: 40 }, (_, at) => leg(at + 1, more(at + 1)));
  const broken = (legs: readonly Leg[]): readonly string[] =>
    judge({ tasks: 0, merges: 0, journals: 0 }, legs, BOUNDS)
      .filter(({ verdict }) => verdict === 'BROKEN')
      .map(({ key }) => key);

  test.each([
    ['in which nothing grows', () => ({}), []],
    ['that grows only while its caches fill', (at: number) => ({ heap: 1e6 * Math.min(at, 20) }), []],
    ['that leaks 100 bytes a step', (at: number) => ({ heap: 50e6 + at * 100_000 }), ['heap']],
    ['whose memory grows outside the heap', (at: number) => ({ rss: 200e6 + at * 2e6 }), ['rss']],
    ['that loses one descriptor', (at: number) => ({ descriptors: at > 35 ? 31 : 30 }), ['descriptors']],
    ['that loses one at an early restart', (at: number) => ({ descriptors: at > 3 ? 31 : 30 }), ['descriptors']],
    ['that forgets a watch', (at: number) => ({ watches: at > 35 ? 59 : 60 }), ['watches']],
    ['that leaves a timer', (at: number) => ({ resources: { Timeout: at > 35 ? 21 : 20 } }), ['resources']],
    [
      'whose steps become slower',
      (at: number) => ({ times: at > 30 ? [19, 20, 21] : [10, 11, 12] }),
      ['median', 'p95'],
    ],
    ['on a machine that becomes slower', (at: number) => (at > 30 ? { times: [20, 22, 24], spawns: [10] } : {}), []],
    ['that works harder for each step', (at: number) => ({ cpu: at * 5000 + Math.max(0, at - 30) * 2000 }), ['cpu']],
  ])('%s', (_, more, keys) => {
    expect(broken(life(more))).toEqual(keys);
  });

  test('that is short shows no trend, and says so', () => {
    const short = judge(
      { tasks: 0, merges: 0, journals: 0 },
      life((at) => ({ steps: at, heap: at * 1e6 })),
      BOUNDS,
    );
    expect(short.filter(({ isTrend }) => isTrend).map(({ verdict }) => verdict)).toContain('too short to say');
    expect(short.some(({ verdict }) => verdict === 'BROKEN')).toBe(false);
  });

  test('has lives that end well and lives that are given up', () => {
    expect(new Set(Object.values(LIVES).map(({ ends }) => ends))).toEqual(new Set(['merged', 'abandoned']));
  });
});
