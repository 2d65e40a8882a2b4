import { describe, expect, it } from 'vitest';
import { bind } from '../../../src/adapters/processes/bounds.ts';
import { aFolder } from './a-runner.ts';

const TB = 1024 ** 4;

describe('what a program writes to a disk', () => {
  it('is counted also while the disk loses nothing, because others free as much', async () => {
    const written = async () => ({ bytes: 2 * TB, files: 1 });
    const onDisk = { folder: aFolder(), written };
    const bounds = { memoryBytes: TB, processes: 1000, bytes: TB, files: TB, onDisk };
    const bound = bind(bounds, () => undefined);
    const why = await new Promise((over) => bound.watch(() => [], over));
    await bound.end(false);
    expect(why).toMatch(/^it wrote 2097152 MB, 1048576 MB are allowed/);
  });
});
