import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFolders } from '../../base/list-folders.ts';
import type { TreeFile } from './repository-facts.ts';
import { tryGit } from './run-git.ts';
import type { UserGit } from './user-git.ts';
import { findGitDir } from './operation-in-progress.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** A file as a commit holds it. */
export type TreeEntry = Pick<TreeFile, 'mode' | 'oid'>;

/** A planned fast-forward. */
export interface FastForward {
  /** The branch that is checked out in `folder`. */
  readonly ref: string;
  readonly folder: string;
  readonly old: string;
  readonly to: string;
  /** Every file that differs between the two commits, and what each of them holds there. */
  readonly changed: readonly {
    readonly path: string;
    readonly status: string;
    readonly before?: TreeEntry | undefined;
    readonly after?: TreeEntry | undefined;
  }[];
  /** Some attribute file may send them through a filter. */
  readonly mayFilter: boolean;
}

/** Why a branch is not fast-forwarded; `inTheWay` are the paths that are the reason, where it is that. */
export interface MergeObstacle {
  readonly reason: string;
  readonly inTheWay?: readonly string[];
}

/**
 * What would stop git midway through a fast-forward, or make it write elsewhere; undefined when nothing would. `git
 * merge` writes files before it moves the branch, so this is checked first.
 */
export async function findMergeObstacle(git: UserGit, move: FastForward): Promise<MergeObstacle | undefined> {
  const { folder, ref, old, to, changed, mayFilter } = move;
  const paths = changed.filter(({ status }) => status !== 'deleted').map(({ path }) => path); // files that git will write
  const gitDir = findGitDir(folder);
  const reason =
    foreignRepository(folder, paths) ?? (movesFreely(gitDir, ref) ? undefined : await refusedMove(gitDir, old, to));
  if (reason !== undefined) return { reason };
  return mayFilter ? failingFilter(git, to, paths) : undefined;
}

/** Whether nothing blocks git from moving a branch; in doubt, git itself is asked. */
function movesFreely(gitDir: string, ref: string): boolean {
  if (existsSync(join(gitDir, 'commondir')) || existsSync(join(gitDir, 'reftable'))) return false;
  const locks = ['HEAD.lock', `${ref}.lock`].some((name) => existsSync(join(gitDir, name)));
  return !locks && [gitDir, dirname(join(gitDir, ref)), join(gitDir, 'logs')].every(isWritable);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The user's own repository at a path of the change; git would write into it. */
function foreignRepository(folder: string, paths: readonly string[]): string | undefined {
  const nested = [...listFolders(paths)].find((parent) => existsSync(join(folder, parent, '.git')));
  return nested === undefined ? undefined : `${nested} is a repository of its own in ${folder}; move it away`;
}

/** git's message when the branch cannot be moved: locked, or moved already. */
async function refusedMove(gitDir: string, old: string, to: string): Promise<string | undefined> {
  const input = `start\nupdate HEAD ${to} ${old}\nprepare\nabort\n`;
  const rehearsed = await tryGit(['update-ref', '--stdin'], { gitDir, input });
  return rehearsed.code === 0 ? undefined : rehearsed.stderr.trim();
}

/** The message of a user's filter that fails on a file of the change. */
async function failingFilter(git: UserGit, to: string, paths: readonly string[]): Promise<MergeObstacle | undefined> {
  if (paths.length === 0) return undefined;
  let inTheWay: readonly string[] = [];
  try {
    const answer = (await git('check-attr', '-z', 'filter', '--', ...paths)).split('\0');
    const filtered = paths.filter((_, at) => !['unspecified', 'unset'].includes(answer[at * 3 + 2] ?? 'unset'));
    for (const path of filtered) {
      inTheWay = [path];
      await git('cat-file', '--filters', `${to}:${path}`);
    }
    return undefined;
  } catch (error) {
    return { reason: getErrorMessage(error).trim(), inTheWay };
  }
}
