/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { waits } from '../support/catching.ts';
import { judges, answerOnce } from '../support/scenario.ts';

/** The state folder of each andon is a small disk of its own, as it is where a home folder has a quota. */
const MOUNT = 'mount -t tmpfs -o size=4m none "$XDG_STATE_HOME" && exec "$@"';
const through = (): readonly string[] => ['unshare', '-rm', 'sh', '-c', MOUNT, 'sh'];
const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.skipIf(!mayMount)('a state folder on a disk that is full (skipped where no disk may be mounted)', () => {
  test('is waited for; when there is room again the task goes on by itself', async () => {
    const { factory, dog, fill, free } = await onASmallDisk();
    fill();
    factory.drop(aContract());
    await dog.until(/nothing runs: the disk takes no writes \(ENOSPC: no space left on device/);
    const waiting = 'nothing runs: the disk takes no writes (ENOSPC: no space left on device)';
    const facts = JSON.parse(factory.inside('status', '--json')) as { watchdog: object };
    expect(facts.watchdog).toMatchObject({ pid: dog.pid, waits: { errno: 'ENOSPC' } });
    expect(factory.inside('status')).toContain(waiting);
    expect(factory.inside('status')).not.toContain('no watchdog');
    expect(factory.inside('doctor', '--no-gates')).toContain(waiting);
    free();
    await dog.until(/the disk takes writes again; going on/);
    await dog.until(() => factory.isMerged());
    expect((await dog.stop()).code).toBe(0);
  });

  test('while it is waited for, andon can be stopped like always', async () => {
    const { factory, dog, fill } = await onASmallDisk();
    fill();
    factory.drop(aContract());
    await dog.until(/nothing runs: the disk takes no writes/);
    const { code, stderr } = await dog.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('bug in andon') as string });
  });
});

describe.skipIf(!mayMount)('a _handoff folder on a disk that is full (skipped where no disk may be mounted)', () => {
  test('while the judge answers CRITICAL_HALT: the verdict stands when there is room again, and nobody asks the judge anew', async () => {
    const mount = 'mkdir -p _handoff && mount -t tmpfs -o size=256k none _handoff && exec "$@"';
    const scenario = { judge: [answerOnce(judges('CRITICAL_HALT', {}, waits)), judges('PASS')] };
    const factory = await aFactory({ scenario, through: () => ['unshare', '-rm', 'sh', '-c', mount, 'sh'] });
    const dog = await factory.watch();
    const inside = (name: string): string => join(`/proc/${dog.pid}/root`, factory.handoff, name);
    writeFileSync(inside('.drop.tmp'), JSON.stringify(aContract()));
    renameSync(inside('.drop.tmp'), inside('TASK_CONTRACT.json'));
    await dog.until(() => factory.signal.has('at'));
    fillUp(inside('filler'));
    factory.signal.give('go');
    await dog.until(/the disk takes no writes \(ENOSPC/);
    rmSync(inside('filler'));
    await dog.until(() => existsSync(inside('TASK_CONTRACT.json.lock')));
    expect(readFileSync(inside('ERIK_HALT.md'), 'utf8')).toContain('"breaker":"judge_halt"');
    expect(factory.calls('judge')).toHaveLength(1);
    expect(factory.merges()).toEqual([]);
    expect((await dog.stop()).code).toBe(0);
  });
});

describe.skipIf(!mayMount)(
  'a _handoff folder that takes no writes at the first start (skipped where no disk may be mounted)',
  () => {
    const mount = 'mkdir -p _handoff && mount -t tmpfs -o ro,size=256k none _handoff && exec "$@"';
    test('ends the start with the error of the kernel', async () => {
      const factory = await aFactory({ through: () => ['unshare', '-rm', 'sh', '-c', mount, 'sh'] });
      const { code, stdout, stderr } = await factory.andon('watch', '--plain');
      expect([code, stderr]).toEqual([1, expect.stringContaining('EROFS: read-only file system')]);
      expect(stdout + stderr).not.toContain('bug in andon');
    });
  },
);

test('a disk that takes no writes has its true name wherever the line is shown, and no surface contradicts the daemon', async () => {
  const factory = await aFactory({ apart: true });
  factory.env['ANDON_FAILPOINT'] = 'file.replace.before-write:error=EDQUOT#4-';
  const dog = await factory.begin(aContract());
  const says = 'nothing runs: the disk takes no writes (EDQUOT: disk quota exceeded)';
  await dog.until(says);
  delete factory.env['ANDON_FAILPOINT'];
  expect(await factory.status()).toMatchObject({ watchdog: { pid: dog.pid, waits: { errno: 'EDQUOT' } } });
  for (const command of ['status', 'list', 'doctor']) {
    const { stdout } = await factory.andon(command);
    expect(stdout).toContain(command === 'list' ? 'nothing runs: the disk takes' : says);
    expect(stdout).not.toContain('no watchdog');
  }
  const { stderr, code } = await factory.andon('halt', 'DOC-001', '--reason', 'x');
  expect({ stderr, code }).toMatchObject({ code: 1, stderr: expect.stringContaining('EDQUOT') as string });
  expect((await dog.stop()).code).toBe(0);
  expect((await factory.andon('status')).stdout).toContain('no watchdog');
});

async function onASmallDisk() {
  const factory = await aFactory({ apart: true, through });
  const dog = await factory.watch();
  const filler = join(`/proc/${dog.pid}/root`, factory.folder, 'state/filler');
  const fill = (): void => fillUp(filler);
  /** In the daemon's own view of the disks. */
  const nsenter = (...words: string[]): string => {
    const where = ['-t', String(dog.pid), '-U', '-m', '--preserve-credentials', `--wd=${factory.repo}`];
    const { stdout, stderr, error } = spawnSync('nsenter', [...where, ...words], { env: factory.env });
    if (error !== undefined || String(stderr) !== '') throw new Error(`${words.join(' ')}: ${String(error ?? stderr)}`);
    return String(stdout);
  };
  const inside = (...words: string[]): string => nsenter(process.execPath, inject('andon'), ...words);
  return { factory: { ...factory, nsenter, inside }, dog, fill, free: () => rmSync(filler) };
}

/** Takes the last byte of a disk. */
function fillUp(file: string): void {
  for (const size of [65_536, 1024, 1])
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch {
      // No more of this size.
    }
}
