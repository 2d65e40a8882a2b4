import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processRunner } from '../../../../src/sandbox/processes/run.ts';
import { simulatedClock } from '../../../support/simulated-clock.ts';
import { aFolder, isAlive, pidIn, shell, until } from './a-runner.ts';

const BUSY = 'while :; do :; done';
const LIMITS = { idleMs: 1000, hardMs: 4000 };

describe.concurrent('a program that prints nothing', () => {
  it(
    'and does nothing is ended at its limit, and it is said what last showed that it works',
    { tags: 'thorough' },
    async () => {
      const ended = await shell('echo begun; sleep 60', { ...LIMITS, cwd: aFolder() });
      expect(ended).toMatchObject({ ended: 'idle', lastSign: { what: 'output' } });
      expect(Date.parse(ended.lastSign?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    },
  );

  const hasLostItsParent = `(setsid /bin/sh -c '${BUSY}' &) ; sleep 60`;
  for (const [where, script, tags] of [
    ['itself', BUSY, 'thorough'],
    ['in a child', `/bin/sh -c '${BUSY}'; true`, 'thorough'],
    ['in a child that has lost its parent and moved to a session of its own', hasLostItsParent, []],
  ] satisfies [string, string, string | string[]][])
    it(`but computes ${where}, is left alone until its hard limit`, { tags }, async () => {
      const ended = await shell(script, { ...LIMITS, cwd: aFolder() });
      expect(ended.ended).toBe('hard');
      expect(ended.lastSign?.what).toMatch(/^\d+\.\d s of CPU time$/);
    });

  it.each(['echo more >> notes.txt', 'touch notes.txt', 'mkdir -p a; touch a/b', 'rm -f notes.txt; : > other.txt'])(
    'but changes files in its folder (%s), is left alone',
    { tags: 'thorough' },
    async (change) => {
      const cwd = aFolder();
      writeFileSync(join(cwd, 'notes.txt'), '');
      const ended = await shell(`while :; do ${change}; sleep 0.15; done`, { ...LIMITS, cwd });
      expect(ended.ended).toBe('hard');
      expect(ended.lastSign?.what).toMatch(/^(?:a file changed in its folder|\d+\.\d s of CPU time|\d+ bytes written)/);
    },
  );

  it('and only waits, with a child that waits too and a spinner, is ended', { tags: 'thorough' }, async () => {
    const script = 'sleep 60 & while :; do printf "\\r/" >&2; sleep 0.3; done';
    const ended = await shell(script, { idleMs: 3000, hardMs: 15_000, isLife: () => false, cwd: aFolder() });
    expect(ended.ended).toBe('idle');
  });

  it('is left alone for as long as somebody who knows it sees it work', { tags: 'thorough' }, async () => {
    let works = true;
    setTimeout(() => (works = false), 2500); // two limits and a half
    const alsoAlive = { says: () => Promise.resolve(works ? 'its server' : undefined) };
    const ended = await shell('sleep 60', { idleMs: 1000, hardMs: 20_000, alsoAlive, cwd: aFolder() });
    expect(ended).toMatchObject({ ended: 'idle', lastSign: { what: 'its server' } });
    expect(ended.ms).toBeGreaterThan(3000);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no server'))],
    ['does not know', () => Promise.resolve(undefined)],
  ])('is ended when that somebody %s', { tags: 'thorough' }, async (_, says) => {
    expect(await shell('sleep 60', { ...LIMITS, alsoAlive: { says }, cwd: aFolder() })).toMatchObject({
      ended: 'idle',
    });
  });
});

describe('ten minutes on a simulated clock', () => {
  it('a real, silent program lives at ten minutes, and not a second later', async () => {
    const clock = simulatedClock();
    const folder = aFolder();
    const run = processRunner(clock, { mark: {}, began() {}, ended() {} });
    const running = run({
      program: '/bin/sh',
      args: ['-c', 'echo $$ > pid; exec sleep 300'],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      input: '',
      signal: new AbortController().signal,
      idleMs: 600_000,
      hardMs: 3_600_000,
    });
    const pid = (): number => pidIn(join(folder, 'pid'));
    await until(() => {
      try {
        return pid() > 0;
      } catch {
        return false;
      }
    });
    await clock.advance(600_000);
    expect(isAlive(pid())).toBe(true);
    await clock.advance(1000);
    expect(await running).toMatchObject({ ended: 'idle', lastSign: { what: 'its start' } });
  });
});
