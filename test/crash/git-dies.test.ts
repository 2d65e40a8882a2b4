import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { again } from '../support/seed.ts';
import { killGit } from './dying-git.ts';

const STRACE = spawnSync('strace', ['-V']).status === 0;

describe.skipIf(!STRACE)('git that dies in the middle of fast-forwarding your checkout, and andon with it', () => {
  test('leaves nothing that the next start does not put right', () => {
    const { points, torn, violations } = killGit();
    process.stdout.write(
      `git dies: ${points} points, ${torn} left a half checkout, ${violations.length} violations; ${again('test/crash/git-dies.test.ts')}\n`,
    );
    expect(violations).toEqual([]);
    expect(torn).toBeGreaterThan(0);
  });
});
