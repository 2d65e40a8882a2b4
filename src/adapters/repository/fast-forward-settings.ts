import { toBranchName } from '../../base/names.ts';
import { readGitConfig } from './git-config.ts';

/**
 * Settings under which `git merge --ff-only` fast-forwards a branch and does nothing else. A user's merge settings
 * precede the options of a command line: another strategy undoes `--ff-only`, `--squash` writes files and moves no
 * branch. A demand for signatures stays. Passed in the environment, because with -c no name may hold a `=`.
 */
export async function fastForwardSettings(folder: string, ref: string): Promise<Readonly<Record<string, string>>> {
  const key = `branch.${toBranchName(ref)}.mergeOptions`;
  const rows = await readGitConfig(folder);
  const own = rows.findLast((row) => row.key === key.replace(/[^.]*$/, 'mergeoptions'))?.value ?? '';
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'pull.twohead',
    GIT_CONFIG_VALUE_0: 'ort',
    GIT_CONFIG_KEY_1: key,
    GIT_CONFIG_VALUE_1: own.split(/\s+/).includes(SIGNED) ? SIGNED : '--ff-only',
  };
}

const SIGNED = '--verify-signatures';
