import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { enforceBounds } from '../../../../src/sandbox/processes/bounds.ts';
import { aFolder, shell } from './a-runner.ts';

const TB = 1024 ** 4;

describe('what a program writes to a disk', () => {
  it('is counted also while the disk loses nothing, because others free as much', async () => {
    const written = async () => ({ bytes: 2 * TB, files: 1 });
    const onDisk = { folder: aFolder(), written };
    const bounds = { memoryBytes: TB, processes: 1000, bytes: TB, files: TB, onDisk };
    const bound = enforceBounds(bounds);
    const why = await new Promise((over) => bound.watch(() => [], over));
    await bound.end(false);
    expect(why).toMatch(/^it wrote 2097152 MB, 1048576 MB are allowed/);
  });

  it('is unknown, and no fault, when its folder is removed before the first measurement', async () => {
    const onDisk = { folder: `${aFolder()}/gone`, written: async () => ({ bytes: 0, files: 0 }) };
    const bounds = { memoryBytes: TB, processes: 1000, bytes: TB, files: TB, onDisk };
    const bound = enforceBounds(bounds);
    bound.watch(() => [], expect.unreachable);
    await expect(bound.end(true)).resolves.toBeUndefined();
  });
});

describe.skipIf(process.platform !== 'linux')('who is ended first when memory is short', () => {
  it('is what has bounds, then every other program, and andon last', async () => {
    const own = Number(readFileSync('/proc/self/oom_score_adj', 'utf8'));
    const waits = 'until [ "$(cat /proc/$$/oom_score_adj)" = 300 ]; do :; done; cat /proc/self/oom_score_adj';
    const bounds = { memoryBytes: TB, processes: 1000, bytes: TB, files: TB };
    const [bound, other] = [await shell('cat /proc/self/oom_score_adj', { bounds }), await shell(waits)];
    expect([bound.stdout, other.stdout, own < 300]).toEqual(['500\n', '300\n', true]);
  });
});
