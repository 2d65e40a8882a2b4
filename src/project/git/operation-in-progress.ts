import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readPlain } from '../../base/system/safe-fs.ts';

/**
 * What is under way in a checkout that a move of `ref` would spoil, in a sentence. `isOut`: `ref` is checked out there,
 * so its files would move too.
 */
export function describeOperationInProgress(folder: string, ref: string, isOut: boolean): string | undefined {
  const gitDir = findGitDir(folder);
  const begun = listRebasedBranches(gitDir, ref)
    ? REBASE
    : isOut
      ? BEGUN.find(([file]) => existsSync(join(gitDir, file)))
      : undefined;
  if (begun === undefined) return undefined;
  const [, operation, endings] = begun;
  return `${operation} is under way in ${folder}; end it first (${endings})`;
}

/** The git directory of a checkout: `.git` itself, or the target of a file of that name. */
export function findGitDir(folder: string): string {
  const pointer = join(folder, '.git');
  if (existsSync(join(pointer, 'HEAD'))) return pointer;
  return resolve(folder, readGitFile(pointer)?.replace('gitdir: ', '').trim() ?? '.');
}

const LONGEST_PATH = 4096;

/** The git directory that all worktrees of a repository share, found without git; undefined where it does not exist. */
export function findCommonDir(folder: string): string | undefined {
  if (!existsSync(join(folder, '.git'))) return dirname(folder) === folder ? undefined : findCommonDir(dirname(folder));
  const gitDir = findGitDir(folder);
  const shared = readPlain(join(gitDir, 'commondir'), LONGEST_PATH);
  return shared.ok && shared.value !== undefined
    ? resolve(gitDir, new TextDecoder().decode(shared.value).trim())
    : gitDir;
}

/** A rebase keeps the branches that it moves at its end in files; if they move meanwhile, it fails. */
export function listRebasedBranches(gitDir: string, ref: string): boolean {
  const names = ['rebase-merge', 'rebase-apply'].map((state) => readGitFile(join(gitDir, state, 'head-name'))?.trim());
  const stacked = readGitFile(join(gitDir, 'rebase-merge', 'update-refs'))?.split('\n') ?? [];
  return [...names, ...stacked].includes(ref);
}

type Begun = readonly [file: string, operation: string, endings: string];

const endings = (command: string): string => `git ${command} --continue or git ${command} --abort`;
const REBASE: Begun = ['rebase-merge', 'a rebase', endings('rebase')];

/** Unfinished operations of a checkout: `git merge` checks only some of them, and discards the rest. */
const BEGUN: readonly Begun[] = [
  ['MERGE_HEAD', 'a merge', endings('merge')],
  ['CHERRY_PICK_HEAD', 'a cherry-pick', endings('cherry-pick')],
  ['REVERT_HEAD', 'a revert', endings('revert')],
  ['rebase-apply', 'an am', endings('am')],
  ['sequencer', 'a cherry-pick or revert of several commits', 'git status says how'],
  ['MERGE_MSG', 'a commit whose message git has prepared', 'git commit or git reset'],
];

/** The text of one of git's files; undefined where it cannot be read. */
export function readGitFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
