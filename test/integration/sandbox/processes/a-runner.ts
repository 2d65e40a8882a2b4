import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/base/system/system-clock.ts';
import type { Command, Ending } from '../../../../src/sandbox/processes/command.ts';
import { processRunner, type RunProgram } from '../../../../src/sandbox/processes/run.ts';
import { patience } from '../../../support/patience.ts';

export { isAlive } from '../../../support/processes.ts';

/** The real runner, with a register that only the test sees. */
export function aRunner(): { run: RunProgram; alive: Set<number> } {
  const alive = new Set<number>();
  const run = processRunner(systemClock, {
    mark: {},
    began: ({ pid }) => alive.add(pid),
    ended: ({ pid }) => alive.delete(pid),
  });
  return { run, alive };
}

/** A folder that is gone when the test is. */
export function aFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a shell script with a bare environment, in a folder where nobody else changes files; what it starts is dead when the test is. */
export function shell(script: string, changes: Partial<Command> = {}): Promise<Ending> {
  return aRunner().run({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: aFolder(),
    env: { PATH: process.env['PATH'] ?? '' },
    input: '',
    signal: new AbortController().signal,
    hardMs: 20_000,
    ...changes,
  });
}

/** Waits until something is so; gives up after a time that is long on any machine. */
export async function until(isSo: () => boolean, ms?: number): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < (ms ?? patience());) {
    if (isSo()) return true;
    await new Promise((done) => {
      setTimeout(done, 20);
    });
  }
  return isSo();
}

export const pidIn = (file: string): number => Number(readFileSync(file, 'utf8').trim());
