import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isKernelLocked, takeFileLock, takeKernelLock } from '../../../../src/project/locks/kernel-lock.ts';

const aFolder = (): string => mkdtempSync(join(tmpdir(), 'kernel-lock-'));
const MODULE = new URL('../../../../src/project/locks/kernel-lock.ts', import.meta.url).href;

/** A process that holds the lock of a folder, or of a file. */
async function aHolder(place: string, take: 'takeKernelLock' | 'takeFileLock' = 'takeKernelLock') {
  const code = `const { ${take} } = await import(process.argv[1]); globalThis.held = ${take}(process.argv[2]); console.log('held'); setInterval(() => {}, 1e6)`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code, MODULE, place];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('the lock of a repository is taken while its holder lives, also when it is frozen, and free once it was killed', async () => {
  const folder = aFolder();
  expect(isKernelLocked(folder)).toBe(false);
  const holder = await aHolder(folder);
  for (const signal of ['SIGSTOP', 'SIGCONT'] as const) {
    holder.kill(signal);
    expect(isKernelLocked(folder)).toBe(true);
    expect(takeKernelLock(folder)).toBe('taken');
  }
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(isKernelLocked(folder)).toBe(false);
  const lock = takeKernelLock(folder);
  expect(lock).not.toBe('taken');
  if (lock !== 'taken') lock.release();
});

test('the lock of a file is taken by one process, and free once that was killed', async () => {
  const file = join(aFolder(), 'setup.lock');
  const holder = await aHolder(file, 'takeFileLock');
  expect(takeFileLock(file)).toBe('taken');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = takeFileLock(file);
  expect([lock === 'taken', takeFileLock(file)]).toEqual([false, 'taken']);
  if (lock !== 'taken') lock.release();
  const again = takeFileLock(file);
  expect(again).not.toBe('taken');
  if (again !== 'taken') again.release();
});

test.skipIf(process.geteuid?.() !== 0)("root's lock belongs to the owner of the repository, who takes it next", () => {
  const folder = join(aFolder(), 'git');
  mkdirSync(folder);
  chownSync(folder, 65_534, 65_534);
  const lock = takeKernelLock(folder);
  for (const name of ['andon', 'andon/lock.sqlite']) expect(statSync(join(folder, name)).uid).toBe(65_534);
  if (lock !== 'taken') lock.release();
});
