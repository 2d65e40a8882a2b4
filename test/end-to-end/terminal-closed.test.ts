/** @module-tag thorough */
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { HAS_TERMINAL } from '../support/terminal.ts';

const WORDS = [process.execPath, '--disable-warning=ExperimentalWarning'];

/** What `andon watch` printed into a file, once it watches. */
async function untilWatched(factory: Factory, log: string): Promise<void> {
  await expect.poll(() => readFileSync(log, 'utf8'), { interval: 20 }).toContain('andon watches');
  await expect.poll(async () => (await factory.status()).watchdog, { interval: 50 }).not.toBeNull();
}

/** Waits until a task is merged, asking from outside. */
const untilMerged = (factory: Factory) =>
  expect
    .poll(async () => (await factory.andon('list', '--json')).stdout, { interval: 50 })
    .toMatch(/"status": ?"merged"/);

describe('andon watch without its terminal', () => {
  test('goes on after SIGHUP when it was started with nohup, all of its output in files', async () => {
    const factory = await aFactory();
    const log = join(factory.folder, 'watch.log');
    const out = openSync(log, 'w');
    const words = [...WORDS, inject('andon'), 'watch'];
    const dog = spawn('nohup', words, {
      cwd: factory.repo,
      env: factory.env,
      stdio: ['ignore', out, out],
    });
    onTestFinished(() => void dog.kill('SIGKILL'));
    await untilWatched(factory, log);
    dog.kill('SIGHUP');
    factory.drop(aContract());
    await untilMerged(factory);
    expect(dog.exitCode).toBeNull();
    dog.kill('SIGINT');
    await expect.poll(() => dog.exitCode, { interval: 20 }).toBe(0);
  });

  for (const [mode, tags] of [
    ['tostop', []],
    ['-tostop', ['thorough']],
  ] as const)
    test.skipIf(!HAS_TERMINAL)(
      `goes on as a background job of a shell whose terminal is set to ${mode}`,
      { tags: [...tags] },
      async () => {
        const factory = await aFactory();
        const words = [...WORDS, inject('andon'), 'watch'].map((word) => `'${word}'`).join(' ');
        const script = `set -m; stty ${mode}; ${words} & echo job $!; read end; kill %1; wait`;
        const shell = spawn('script', ['--quiet', '--return', '--flush', '--command', script, '/dev/null'], {
          cwd: factory.repo,
          env: { ...factory.env, TERM: 'xterm-256color', SHELL: '/bin/bash' },
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        onTestFinished(() => void shell.kill('SIGKILL'));
        await expect.poll(async () => (await factory.status()).watchdog, { interval: 50 }).not.toBeNull();
        factory.drop(aContract());
        await untilMerged(factory);
        shell.stdin.end('end\n');
        await expect.poll(() => shell.exitCode, { interval: 20 }).not.toBeNull();
      },
    );
});
