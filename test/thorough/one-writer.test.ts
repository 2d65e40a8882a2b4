/** @module-tag thorough */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectMergedOnce, goOn, waits } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { isAlive } from '../support/processes.ts';
import { FINAL, writes } from '../support/scenario.ts';

const AT_WORK = { scenario: { implementer: [writes({ 'docs/auth_final.md': FINAL }, waits)] } };
const inState = (factory: Factory, name: string): string => join(stateOf(factory), name);

async function atWork(): Promise<{ factory: Factory; dog: Awaited<ReturnType<Factory['watch']>> }> {
  const factory = await aFactory({ apart: true, ...AT_WORK });
  const dog = await factory.begin(aContract(), 'at');
  return { factory, dog };
}

describe('two andons are never at work in one repository', () => {
  test('when the first was stopped for so long that its lock looks dead, and then goes on', async () => {
    const { factory, dog } = await atWork();
    process.kill(dog.pid, 'SIGSTOP');
    const long = new Date(Date.now() - 3_600_000);
    utimesSync(inState(factory, 'daemon.lock'), long, long);
    const second = await factory.andon('watch');
    process.kill(dog.pid, 'SIGCONT');
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`pid ${dog.pid}`) });
    goOn(factory);
    await eventually(() => factory.isMerged() || !isAlive(dog.pid), 'the first has merged, or stopped in words');
    if (!factory.isMerged()) {
      expect(dog.output()).toContain('the lock was lost');
      await expectMergedOnce(factory, await factory.watch());
    }
    expect(factory.merges()).toHaveLength(1);
  });

  test('when somebody deletes the lock while the first works', async () => {
    const { factory, dog } = await atWork();
    process.kill(dog.pid, 'SIGSTOP'); // it would notice and stop, and on a slow machine the second would then take over
    rmSync(inState(factory, 'daemon.lock'), { recursive: true });
    rmSync(inState(factory, 'daemon.json'));
    const second = await factory.andon('watch');
    process.kill(dog.pid, 'SIGCONT');
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('another andon') });
    goOn(factory);
    await eventually(() => factory.isMerged() || !isAlive(dog.pid), 'the first has merged, or stopped in words');
    if (!factory.isMerged()) await expectMergedOnce(factory, await factory.watch());
    expect(factory.merges()).toHaveLength(1);
  });

  const mountable = mayMount() ? '' : ' (not run: no mount may be made here)';
  test.skipIf(mountable !== '')(`when the second comes in by a bind mount${mountable}`, async () => {
    const { factory, dog } = await atWork();
    const beside = join(factory.folder, 'beside');
    mkdirSync(beside);
    const mounted = `mount --bind '${factory.repo}' '${beside}' && cd '${beside}' && exec "$@"`;
    const second = spawnSync('unshare', ['-rm', 'sh', '-c', mounted, 'sh', ...command(dog.pid)], {
      env: factory.env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('another andon') });
    goOn(factory);
    await expectMergedOnce(factory, dog);
  });
});

describe('a lock that a dead andon left is taken over, loudly', () => {
  test.each([
    ['its pid is another process by now', (pid: number) => ({ pid, startTime: '1', boot: bootId() })],
    ['the machine was started again since', (pid: number) => ({ pid, startTime: startTime(pid), boot: 'another' })],
  ])('when %s; that process is left alone', async (_, holder) => {
    const { factory, dog } = await atWork();
    await dog.kill9();
    const bystander = spawn('sleep', ['300'], { stdio: 'ignore' });
    onTestFinished(() => void bystander.kill('SIGKILL'));
    const pid = bystander.pid ?? 0;
    for (const file of [inState(factory, 'daemon.json'), join(factory.repo, '.git/andon/holder.json')]) {
      const record = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...record, ...holder(pid), doing: 'watch' }));
    }
    const again = await factory.watch();
    await again.until(`took over from an andon that died (pid ${pid})`);
    expect(isAlive(pid)).toBe(true);
    goOn(factory);
    await expectMergedOnce(factory, again);
  });
});

/** How a running daemon was started, word by word. */
const command = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((word) => word !== '');

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
const startTime = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    execFileSync('unshare', ['-rm', 'mount', '--bind', folder, folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
