import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readHeadBranch, readObjectId } from './refs.ts';
import { findGitDir, listRebasedBranches, readGitFile } from './operation-in-progress.ts';

/**
 * The folder of a checkout that has a branch checked out, or rebases it; '' when no checkout has, undefined when git
 * must be asked. Read from git's own files, because it is asked before every attempt.
 */
export function findCheckoutOf(root: string, commonDir: string, ref: string): string | undefined {
  for (const { gitDir, folder } of checkouts(root, commonDir)) {
    const head = readObjectId(gitDir, 'HEAD') === undefined ? readHead(commonDir, gitDir) : '';
    if (head === undefined) return undefined;
    if (head === ref || listRebasedBranches(gitDir, ref)) return folder;
  }
  return '';
}

/** A linked work tree's HEAD is read as a ref of its repository. */
const readHead = (commonDir: string, gitDir: string): string | undefined =>
  readHeadBranch(commonDir, join(relative(commonDir, gitDir), 'HEAD')) ?? undefined;

/** Every existing checkout; one without its folder counts while it is locked, as on an unmounted drive. */
function checkouts(root: string, commonDir: string): readonly { readonly gitDir: string; readonly folder: string }[] {
  return [{ gitDir: commonDir, folder: getMainFolder(root, commonDir) }, ...listLinkedCheckouts(commonDir)];
}

/** The folders of every checkout of a repository. */
export const listCheckoutFolders = (root: string, commonDir: string): readonly string[] =>
  checkouts(root, commonDir).map(({ folder }) => folder);

/** Checkouts made by `git worktree add`. */
export function listLinkedCheckouts(
  commonDir: string,
): readonly { readonly gitDir: string; readonly folder: string }[] {
  const linked = join(commonDir, 'worktrees');
  const names = existsSync(linked) ? readdirSync(linked).toSorted() : [];
  return names.flatMap((name) => {
    const gitDir = join(linked, name);
    const pointer = readGitFile(join(gitDir, 'gitdir'))?.trim();
    if (pointer === undefined) return [];
    const file = resolve(gitDir, pointer);
    return existsSync(file) || existsSync(join(gitDir, 'locked')) ? [{ gitDir, folder: dirname(file) }] : [];
  });
}

/** The folder of the main checkout, or the git directory where that is unknown. */
export function getMainFolder(root: string, commonDir: string): string {
  if (findGitDir(root) === commonDir) return root;
  return basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
}
