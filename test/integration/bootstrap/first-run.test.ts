import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/factory.ts';
import { isAlive } from '../../support/processes.ts';
import { aClone } from './a-clone.ts';

const isInstalling = (clone: ReturnType<typeof aClone>, times = 1): Promise<void> =>
  eventually(() => clone.npms().length === times, `npm is at work (${times})`);

/** The next start installs everything, and nothing is left of the lock. */
async function expectNextInstalls(clone: ReturnType<typeof aClone>): Promise<void> {
  const before = clone.npms().length;
  clone.goOn();
  const next = clone.run();
  expect(await next.ended, next.output()).toEqual({ code: 0, signal: null });
  expect(next.output()).not.toContain('waits');
  expect(clone.npms()).toHaveLength(before + 1);
  expect(clone.has('node_modules/.stamp')).toBe(true);
  expect(clone.leftovers()).toEqual([]);
}

describe('a first run that is ended', () => {
  it.each([
    ['SIGINT', 'the whole group, as Ctrl-C does', -1],
    ['SIGTERM', 'the bootstrap alone', 1],
    ['SIGHUP', 'the bootstrap alone', 1],
  ] as const)('by %s to %s leaves no lock and no npm, and the next start installs anew', async (signal, _, whom) => {
    const clone = aClone();
    const run = clone.run();
    await isInstalling(clone);
    process.kill(run.pid * whom, signal);
    expect(await run.ended).toEqual({ code: null, signal });
    expect(clone.leftovers()).toEqual([]);
    expect(clone.npms().filter(isAlive)).toEqual([]);
    await expectNextInstalls(clone);
  });

  it('by kill -9 leaves a lock that the next start takes over at once', async () => {
    const clone = aClone();
    const run = clone.run();
    await isInstalling(clone);
    process.kill(-run.pid, 'SIGKILL');
    await run.ended;
    await eventually(() => !clone.npms().some(isAlive), 'npm is gone');
    expect(clone.leftovers()).toEqual(['node_modules.lock']);
    await expectNextInstalls(clone);
  });

  it('by kill -9, but not its npm, is waited for as long as that npm writes', async () => {
    const clone = aClone();
    const run = clone.run();
    await isInstalling(clone);
    // npm may be at work before its starter has noted its process.
    const noted = (): boolean =>
      readdirSync(join(clone.clone, 'node_modules.lock')).some((name) => name.startsWith('npm-of-'));
    await eventually(noted, 'the lock names npm');
    process.kill(run.pid, 'SIGKILL');
    const next = clone.run();
    await eventually(() => next.output().includes('waits'), 'the next one waits');
    clone.goOn();
    expect(await next.ended).toEqual({ code: 0, signal: null });
    expect(clone.npms()).toHaveLength(1);
    expect(clone.leftovers()).toEqual([]);
  });
});

describe('the command `andon` in a clone', () => {
  it('installs what a first run left half done, instead of failing for want of a package', { tags: 'thorough' }, () => {
    const clone = aClone();
    for (const folder of ['bin', 'src', 'node_modules/half']) mkdirSync(join(clone.clone, folder), { recursive: true });
    const command = join(clone.clone, 'bin/andon.mjs');
    cpSync(join(import.meta.dirname, '../../../bin/andon.mjs'), command);
    writeFileSync(join(clone.clone, 'src/main.ts'), "console.log('andon runs');");
    clone.goOn();
    for (const npms of [1, 1]) {
      const said = execFileSync(process.execPath, [command, 'status'], { env: { PATH: clone.path() }, stdio: 'pipe' });
      expect(said.toString()).toBe('andon runs\n');
      expect(clone.npms()).toHaveLength(npms);
    }
  });
});

describe('first runs at the same time', () => {
  it('install once; who waits says so, once, and for whom', async () => {
    const clone = aClone();
    const first = clone.run();
    await isInstalling(clone);
    const second = clone.run();
    const said = `[setup] waits for another first run (pid ${first.pid})\n`;
    await eventually(() => second.output() !== '', 'the second says something');
    clone.goOn();
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(second.output()).toBe(`${said}1\n`);
    expect(clone.npms()).toHaveLength(1);
  });

  it('install once also when they all find the lock of one that died', { tags: 'thorough' }, async () => {
    const clone = aClone();
    const dead = clone.run();
    await isInstalling(clone);
    process.kill(-dead.pid, 'SIGKILL');
    await dead.ended;
    await eventually(() => !clone.npms().some(isAlive), 'npm is gone');
    const runs = Array.from({ length: 6 }, () => clone.run());
    await isInstalling(clone, 2);
    await eventually(() => runs.filter((run) => run.output().includes('waits')).length === 5, 'five of them wait');
    clone.goOn();
    for (const run of runs) expect(await run.ended, run.output()).toMatchObject({ code: 0 });
    expect(clone.npms()).toHaveLength(2);
    expect(clone.leftovers()).toEqual([]);
  });
});
