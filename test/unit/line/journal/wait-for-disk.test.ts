import { expect, it } from 'vitest';
import { isWaitedFor } from '../../../../src/line/journal/wait-for-disk.ts';

it('a full disk is always waited for, one that errs a few times, anything else never', () => {
  const asked = (words: string): readonly boolean[] => Array.from({ length: 6 }, () => isWaitedFor('/project', words));
  expect(asked('ENOSPC: no space left on device, write')).toEqual([true, true, true, true, true, true]);
  expect(asked('EIO: i/o error, write')).toEqual([true, true, true, true, false, false]);
  expect(isWaitedFor('/another', 'EMFILE: too many open files, open')).toBe(true);
  expect(isWaitedFor('/project', 'git read-tree failed (128)')).toBe(false);
});
