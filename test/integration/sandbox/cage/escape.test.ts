import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import type { CageWorld } from '../../../../src/sandbox/cage/sandbox-mounts.ts';
import type { RunProgram } from '../../../../src/sandbox/processes/run.ts';
import { aRunner, until } from '../processes/a-runner.ts';
import { ATTACKS, ENVIRONMENT, HARMLESS, NOBODY, SECRET, aMachine, expectUnharmed } from './attacks.ts';
import { USERS, asNobody } from './users.ts';

/** The cage, started by whom. */
const by =
  (as: (run: RunProgram) => RunProgram) =>
  (world: CageWorld): ReturnType<typeof createBubblewrap> =>
    createBubblewrap(as(aRunner().run), world);

const probe = createBubblewrap(aRunner().run, { home: '/root', environment: ENVIRONMENT, hide: [], read: [] });
const why = await probe.unavailable();

describe.skipIf(why !== undefined || process.getuid?.() !== 0)('a fork bomb in the cage', { tags: 'thorough' }, () => {
  it('of an ordinary user is bounded, and gone when its time is over, while andon goes on (case 87)', async () => {
    const machine = await aMachine(by(asNobody), true);
    const bomb = 'i=0; while [ $i -lt 4000 ]; do sleep 87654 & i=$((i+1)); done; echo all of them; wait';
    let most = 0;
    const looks = setInterval(() => (most = Math.max(most, sleepers())), 500);
    const { output, ended } = await machine.run(bomb, 100_000, { processes: PROCESSES });
    clearInterval(looks);
    expect([output.includes('all of them'), ended, most > LIMIT]).toEqual([false, 'limit', false]);
    expect(await until(() => sleepers() === 0)).toBe(true);
  });
});

/** Fewer than by default, for where each start of a process is slow. */
const PROCESSES = 600;
/** What the kernel allows at the most; who has more than he may is ended before. */
const LIMIT = PROCESSES * 1.25 + 64;
const sleepers = (): number => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isSleeper(pid)).length;

function isSleeper(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === 'sleep\u000087654\u0000';
  } catch {
    return false;
  }
}

describe.skipIf(why !== undefined).each(USERS)(
  `the cage, run by %s${why === undefined ? '' : ` (skipped: ${why})`}`,
  (name, as) => {
    const tags = name === 'nobody' ? 'thorough' : [];

    it(
      'stands against the 33 attacks: the first three succeed, the rest is refused by the kernel (case 84)',
      { tags },
      async () => {
        const machine = await aMachine(by(as), name === 'nobody');
        const held: string[] = [];
        for (const [what, script] of ATTACKS) {
          const { exit, output } = await machine.run(script(machine));
          if (exit !== 0 && !output.includes(SECRET)) held.push(what);
        }
        expect(ATTACKS.map(([what]) => what).filter((what) => !held.includes(what))).toEqual(
          ATTACKS.slice(0, 3).map(([what]) => what),
        );
        expectUnharmed(machine);
      },
    );

    it('lets a gate make a pipe and a program that wants more rights, which gives it none', { tags }, async () => {
      const machine = await aMachine(by(as), name === 'nobody');
      for (const script of HARMLESS) await machine.run(script);
      expect(lstatSync(join(machine.tree, 'docs/set')).uid).toBe(name === 'nobody' ? NOBODY : process.getuid?.());
      const { output } = await machine.run('grep NoNewPrivs /proc/self/status; grep CapBnd /proc/self/status');
      expect(output).toMatch(/NoNewPrivs:\t1\nCapBnd:\t0+\n/);
    });
  },
);
