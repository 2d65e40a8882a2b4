import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { splitNul, runGit, withUserSettings } from './git.ts';
import type { FastForward, TreeEntry } from './merge-obstacle.ts';
import { SUBMODULE } from './trees.ts';

/** Compares contents: a file that was only touched counts as unchanged. */
export async function findUserChanges(gitDir: string, { folder, changed }: FastForward) {
  const call = { gitDir, workTree: folder, env: withUserSettings() };
  const paths = new Set(changed.map(({ path }) => path));
  // One git says what the index holds, and which files of the checkout may differ from it.
  const listed = await runGit(['ls-files', '-z', '-v', '-s', '-c', '-m', '--', ...only(paths)], call);
  const rows = splitNul(listed)
    .map(readRow)
    .filter(({ path }) => paths.has(path));
  const index = new Map(rows.map(({ path, entry }) => [path, entry]));
  const isUnlike = (path: string, kept: TreeEntry | undefined): boolean =>
    index.get(path) !== (kept && `${kept.mode} ${kept.oid} 0`);
  const unlikeOld = changed.filter(({ path, before }) => isUnlike(path, before));
  const mixed = unlikeOld.filter(({ path, after }) => isUnlike(path, after)).map(({ path }) => path);
  const staged = new Set(unlikeOld.map(({ path }) => path).filter((path) => !mixed.includes(path)));
  const touched = rows.filter(({ tag, entry }) => tag.toUpperCase() === CHANGED && !entry.startsWith(SUBMODULE));
  const dirty = new Set(touched.map(({ path }) => path).filter((path) => !staged.has(path)));
  const edited =
    dirty.size === 0 ? [] : splitNul(await runGit([...DIFF, ...only(dirty)], call)).filter((path) => dirty.has(path));
  const foreign = changed
    .filter(({ path, status }) => status === 'added' && !index.has(path) && isFile(join(folder, path)))
    .map(({ path }) => path);
  return {
    /** Edited, staged, or untracked: git does not overwrite it. */
    standing: [...new Set([...mixed, ...edited, ...foreign])],
    /** Paths that git leaves alone or rejects itself: staged with the same content, and marked as not to be inspected. */
    apart: new Set([...staged, ...rows.filter(({ tag }) => UNSEEN.test(tag)).map(({ path }) => path)]),
  };
}

const DIFF = [
  '-c',
  'diff.orderFile=/dev/null',
  'diff',
  '--no-ext-diff',
  '--ignore-submodules=all',
  '--name-only',
  '-z',
  '--',
];

/** A row of `ls-files -v -s`: a letter, and the mode, id and stage of the entry. A changed file has a row more. */
function readRow(row: string): { readonly tag: string; readonly entry: string; readonly path: string } {
  const tab = row.indexOf('\t');
  return { tag: row.slice(0, 1), entry: row.slice(2, tab), path: row.slice(tab + 1) };
}

const CHANGED = 'C';
/** Flags of files that git does not inspect: a small letter (assume-unchanged) or S (skip-worktree). */
const UNSEEN = /^[a-zS]/;

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
