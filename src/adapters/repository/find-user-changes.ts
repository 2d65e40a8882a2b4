import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { splitNul, runGit, withUserSettings } from './git.ts';
import type { FastForward } from './merge-obstacle.ts';

/** Your files at paths of a fast-forward. */
interface UserChanges {
  /** Edited, staged, or untracked: git does not overwrite it. */
  readonly standing: readonly string[];
  /** Paths that git leaves alone or rejects itself: staged with the same content, and marked as not to be inspected. */
  readonly apart: ReadonlySet<string>;
}

/** Compares contents: a file that was only touched counts as unchanged. */
export async function findUserChanges(gitDir: string, { folder, old, to, changed }: FastForward): Promise<UserChanges> {
  const call = { gitDir, workTree: folder, env: withUserSettings() };
  const paths = new Set(changed.map(({ path }) => path));
  const listFromGit = async (among: ReadonlySet<string>, ...args: string[]): Promise<readonly string[]> =>
    splitNul(await runGit([...args, '-z', '--', ...only(among)], call));
  const named = async (among: ReadonlySet<string>, ...args: string[]): Promise<readonly string[]> =>
    (await listFromGit(among, ...args, '--name-only')).filter((path) => among.has(path));
  // Two questions: one diff-index without --cached would read every file of the checkout.
  const [touched, unlikeOld, listed] = await Promise.all([
    named(paths, 'diff-files', '--ignore-submodules=all'),
    named(paths, 'diff-index', '--cached', old),
    listFromGit(paths, 'ls-files', '-v'),
  ]);
  const index = new Set(unlikeOld);
  const mixed = index.size === 0 ? [] : await named(index, 'diff-index', '--cached', to);
  const staged = new Set(unlikeOld.filter((path) => !mixed.includes(path)));
  const dirty = new Set(touched.filter((path) => !staged.has(path)));
  const edited =
    dirty.size === 0
      ? []
      : await named(dirty, '-c', 'diff.orderFile=/dev/null', 'diff', '--no-ext-diff', '--ignore-submodules=all');
  const foreign = changed
    .filter(({ path, status }) => status === 'added' && !index.has(path) && isFile(join(folder, path)))
    .map(({ path }) => path);
  return {
    standing: [...new Set([...mixed, ...edited, ...foreign])],
    apart: new Set([...staged, ...listed.filter((row) => UNSEEN.test(row)).map((row) => row.slice(2))]),
  };
}

/** Flags of `ls-files -v` that diff-files skips: a small letter (assume-unchanged) or S (skip-worktree). */
const UNSEEN = /^[a-zS] /;

/** Paths to name to git; with more, all are listed. */
const MOST_PATHS = 200;
const only = (paths: ReadonlySet<string>): readonly string[] =>
  paths.size > MOST_PATHS ? [] : [...paths].map((path) => `:(top,literal)${path}`);

/** git replaces an empty folder, but not a file at the path of a folder. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return true;
    throw error;
  }
}
