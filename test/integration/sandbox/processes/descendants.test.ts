import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nameProcess, listProcessesWithVariable } from '../../../../src/sandbox/processes/descendants.ts';
import type { ProcessName } from '../../../../src/sandbox/processes/process-name.ts';

/** A process that bears a mark and lives until the test is over. */
async function marked(value: string): Promise<ProcessName> {
  const child = spawn('sh', ['-c', 'echo; exec sleep 60'], { env: { PATH: '/usr/bin:/bin', ANDON_MARK_TEST: value } });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const name = nameProcess(child.pid ?? 0);
  if (name === undefined) throw new Error('the process is not there');
  return name;
}

describe('the processes of a call', () => {
  it('are known by their mark, and those that were there before it are not even asked', async () => {
    const value = `${process.pid}-${performance.now()}`;
    const before = await marked(value);
    let during = await marked(value);
    while (during.startTime === before.startTime) during = await marked(value); // the kernel counts hundredths of a second
    const pids = (since?: string): number[] =>
      listProcessesWithVariable('ANDON_MARK_TEST', value, since)
        .filter(({ startTime }) => [before.startTime, during.startTime].includes(startTime))
        .map(({ pid }) => pid);
    expect(pids()).toEqual(expect.arrayContaining([before.pid, during.pid]));
    expect(pids(during.startTime)).toContain(during.pid);
    expect(pids(during.startTime)).not.toContain(before.pid);
    expect(pids(String(Number(during.startTime) + 1_000_000))).toEqual([]);
  });
});
