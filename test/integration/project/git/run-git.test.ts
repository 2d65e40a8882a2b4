import { describe, expect, it } from 'vitest';
import { runGit } from '../../../../src/project/git/run-git.ts';
import { aFolder } from '../../sandbox/processes/a-runner.ts';

describe('a git that fails', () => {
  it.each([
    [['cat-file', 'blob', 'nowhere']],
    [['-c', 'core.abbrev=8', 'cat-file', 'blob', 'nowhere']],
    [['-c', 'core.abbrev=8', '--literal-pathspecs', '-c', 'diff.orderFile=/dev/null', 'cat-file', 'blob', 'nowhere']],
  ])('is named by what it was to do, whatever settings come first: %j', async (args) => {
    await expect(runGit(args, { gitDir: aFolder() })).rejects.toThrow(/^git cat-file failed \(128\): fatal: /);
  });
});
