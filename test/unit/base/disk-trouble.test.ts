import { expect, it } from 'vitest';
import { classifyDiskError, describeDiskError, describeDiskWait } from '../../../src/base/disk-trouble.ts';

it.each([
  ['EDQUOT: disk quota exceeded, write', 'EDQUOT: disk quota exceeded'],
  ['EROFS: read-only file system, open', 'EROFS: read-only file system'],
  ['fatal: sha1 file write error: No space left on device', 'ENOSPC: no space left on device'],
  ['error: unable to write file: Disk quota exceeded', 'EDQUOT: disk quota exceeded'],
  ['EMFILE: too many open files, open', 'EMFILE: too many open files'],
  ['database or disk is full', 'database or disk is full'],
])('%s is %s', (words, name) => {
  expect(describeDiskError(classifyDiskError(words))).toBe(name);
});

it('a quota is never called a full disk, and too many files are no disk', () => {
  expect(describeDiskWait(classifyDiskError('EDQUOT: x'))).toBe(
    'nothing runs: the disk takes no writes (EDQUOT: disk quota exceeded); andon goes on by itself when that is over',
  );
  expect(describeDiskWait(classifyDiskError('EMFILE: x'))).toContain('no more files can be opened (EMFILE');
});
