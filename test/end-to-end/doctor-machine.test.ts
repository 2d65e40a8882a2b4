import manifest from '../../package.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { judgeDisk } from '../../src/setup/doctor/machine.ts';
import { NODE_RANGE, checkNodeVersion } from '../../src/setup/doctor/doctor.ts';

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
