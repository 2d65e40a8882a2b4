import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { kernelMounts } from '../../../../src/sandbox/cage/bwrap-arguments.ts';

const onLinux = it.skipIf(process.platform !== 'linux');

onLinux(
  'closes the same files of the kernel however many processes begin and end meanwhile',
  { tags: 'thorough' },
  () => {
    for (let storm = 0; storm < 3; storm += 1) {
      const births = spawn('sh', ['-c', 'while :; do /bin/true & /bin/true & /bin/true & wait; done'], {
        stdio: 'ignore',
        detached: true,
      });
      onTestFinished(() => void process.kill(-(births.pid ?? 0), 'SIGKILL'));
    }
    const closed = new Set<string>();
    for (const end = performance.now() + 4000; performance.now() < end;) closed.add(kernelMounts().join(' '));
    expect([...closed]).toEqual([expect.stringContaining('/proc/sys /proc/sys')]);
  },
);
