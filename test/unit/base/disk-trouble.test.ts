import { expect, it } from 'vitest';
import {
  classifyDiskError,
  describeDiskError,
  describeDiskWait,
  isDiskTrouble,
} from '../../../src/base/disk-trouble.ts';

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

it.each([
  "git init failed (128): error: failed to write new configuration file /s/vault.git.EBH1kJ/config.lock\nfatal: could not set 'core.filemode' to 'true'",
  'git update-index failed (128): fatal: unable to write new index file',
  'git hash-object failed (128): error: unable to create temporary file: x',
  'git pack-objects failed (128): fatal: write error',
])('reads a failed write in the words of git without an errno: %s', (words) => {
  expect(isDiskTrouble(words)).toBe(true);
});

it('reads no failed write in a missing commit', () => {
  expect(isDiskTrouble('git cat-file failed (128): fatal: Not a valid object name task/A-1')).toBe(false);
});
