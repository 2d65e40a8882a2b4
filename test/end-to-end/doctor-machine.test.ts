import manifest from '../../package.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { judgeDisk, judgeWatcher } from '../../src/app/setup/doctor/examine-machine.ts';
import { NODE_RANGE, checkNodeVersion } from '../../src/app/setup/doctor/examine.ts';

const GB = 1_000_000_000;
const EXT4 = 0xef53;

describe('the machine under the line', () => {
  it.each([
    [{ free: 50 * GB, type: EXT4, files: 100_000 }, 'ok', '50.0 GB free'],
    [{ free: 0.5 * GB, type: EXT4, files: 100_000 }, 'warn', '500 MB free'],
    [{ free: 0.05 * GB, type: EXT4, files: 100_000 }, 'fail', '50 MB free'],
    [{ free: 50 * GB, type: EXT4, files: 12 }, 'fail', '12 more files'],
    [{ free: 50 * GB, type: 0x6969, files: undefined }, 'warn', 'nfs'],
    [{ free: 50 * GB, type: 0x01021997, files: undefined }, 'warn', '9p'],
    [{ free: 50 * GB, type: 0x65735546, files: undefined }, 'warn', 'fuse'],
    [{ free: 50 * GB, type: undefined, files: undefined }, 'ok', 'free'],
  ] as const)('a disk like %j is %s', (disk, state, words) => {
    const check = judgeDisk('disk', '/home/you', disk);
    expect(check).toMatchObject({ state, detail: expect.stringContaining(words) });
    if (state !== 'ok') expect(check.remedy).toMatch(/\w/);
  });

  it.each([
    [{ watches: 192_536, instances: 128, error: undefined }, 'ok', '128 instances, 192536 watches'],
    [{ watches: 192_536, instances: 128, error: 'EMFILE' }, 'warn', 'used up (EMFILE'],
    [{ watches: 8192, instances: 128, error: 'ENOSPC' }, 'warn', 'used up (ENOSPC'],
    [{ watches: 100, instances: 128, error: undefined }, 'warn', '100 watches'],
    [{ watches: undefined, instances: undefined, error: undefined }, 'ok', 'no limit known'],
    [{ watches: undefined, instances: undefined, error: 'ENOSYS' }, 'warn', 'ENOSYS'],
  ] as const)('limits for watching like %j are %s', (watcher, state, words) => {
    expect(judgeWatcher(watcher)).toMatchObject({ state, detail: expect.stringContaining(words) });
  });

  it.each([
    ['22.22.1', 'warn'],
    ['22.22.2', 'ok'],
    ['23.11.0', 'warn'],
    ['24.14.9', 'warn'],
    ['24.15.0', 'ok'],
    ['26.0.0', 'ok'],
  ])('Node.js %s is %s', (version, state) => {
    expect(checkNodeVersion(version).state).toBe(state);
  });

  it('Node.js is held to the range that package.json names', () => {
    expect(manifest.engines.node).toBe(NODE_RANGE);
  });
});
