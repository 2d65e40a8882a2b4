import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { RepositoryFacts } from '../../ports/repository.ts';
import { tryGit, usersSettings } from './git.ts';
import type { GitResult } from './git.ts';
import { whyNotHere } from './in-words.ts';
import type { NotHere } from './in-words.ts';

/** git 2.38 brought `merge-tree --write-tree`. */
const MINIMUM_GIT = [2, 38] as const;

/** Looks at the repository that `folder` lies in; what is wrong and what to do when andon cannot work there. */
export async function findRepository(folder: string): Promise<Outcome<RepositoryFacts, NotHere>> {
  const plain = plainRepository(folder);
  return plain === undefined ? askGit(folder) : success(plain);
}

/** The version of git, which must be one that andon can build merges with. */
export async function gitVersion(folder: string): Promise<Outcome<string, NotHere>> {
  const said = await asked(folder, 'version');
  const version = said.stdout.toString('utf8').trim().replace('git version ', '');
  if (said.code !== 0) return failure(whyNotHere(folder, said.stderr.trim()));
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MINIMUM_GIT;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return success(version);
  return failure({
    sentence: `git ${version} is too old; andon needs ${MINIMUM_GIT.join('.')} or newer`,
    remedy: 'update git',
  });
}

/**
 * A repository as `git init` and `git clone` make it, found as git finds it, without a process; undefined when git must
 * be asked: for a worktree, a submodule, a bare one, another user's, and whatever its configuration makes special.
 */
function plainRepository(folder: string): RepositoryFacts | undefined {
  try {
    const start = realpathSync(folder);
    const { dev } = lstatSync(start);
    for (let root = start; ; root = dirname(root)) {
      const here = lstatSync(root);
      const gitDir = join(root, '.git');
      if (here.dev !== dev || standsAt(join(root, 'HEAD')) !== undefined) return undefined; // a mount, or git's own folder
      const found = standsAt(gitDir);
      if (found === undefined && root === dirname(root)) return undefined;
      if (found === undefined) continue;
      const me = process.geteuid?.();
      const isMine = found.isDirectory() && found.uid === me && here.uid === me;
      return isMine && isPlain(gitDir) ? { root, commonDir: gitDir } : undefined;
    }
  } catch {
    return undefined;
  }
}

const standsAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });

function isPlain(gitDir: string): boolean {
  const folders = ['objects', 'refs'].every((name) => standsAt(join(gitDir, name))?.isDirectory() === true);
  const files = ['HEAD', 'config'].every((name) => standsAt(join(gitDir, name))?.isFile() === true);
  if (!folders || !files || standsAt(join(gitDir, 'commondir')) !== undefined) return false;
  if (!/^(?:ref: refs\/|[0-9a-f]{40})/.test(readFileSync(join(gitDir, 'HEAD'), 'utf8'))) return false;
  const config = readFileSync(join(gitDir, 'config'), 'utf8');
  return !SPECIAL.test(config.replaceAll(USUAL, ''));
}

/** What `git init` writes, of all that can make a repository special. */
const USUAL = /^\s*(?:repositoryformatversion = 0|bare = false)$/gm;
const SPECIAL = /repositoryformatversion|bare|worktree|include|extensions/i;

async function askGit(folder: string): Promise<Outcome<RepositoryFacts, NotHere>> {
  try {
    const said = await asked(
      folder,
      'rev-parse',
      '--is-bare-repository',
      '--path-format=absolute',
      '--git-common-dir',
      '--show-toplevel',
    );
    const [isBare = '', commonDir = '', root = '', ...more] = said.stdout.toString('utf8').trimEnd().split('\n');
    if (isBare === 'true')
      return failure({
        sentence: `${folder} is a bare repository, without a checkout in which _handoff/ could lie`,
        remedy: 'make one beside it (git worktree add <folder>) and run andon there',
      });
    if (said.code !== 0) return failure(whyNotHere(folder, said.stderr.trim()));
    if (more.length === 0) return success({ root, commonDir });
    return success(await linesApart(folder)); // a path holds a line break
  } catch (error) {
    return failure(whyNotHere(folder, error instanceof Error ? error.message : String(error)));
  }
}

/** Each by a call of its own, so that every line break is part of the path. */
async function linesApart(folder: string): Promise<RepositoryFacts> {
  const [commonDir = '', root = ''] = await Promise.all(
    ['--git-common-dir', '--show-toplevel'].map(async (what) =>
      (await asked(folder, 'rev-parse', '--path-format=absolute', what)).stdout.toString('utf8').replace(/\n$/, ''),
    ),
  );
  return { root, commonDir };
}

/** git as its user's own runs in a folder: it looks for the repository by itself, and minds whose it is. */
const asked = (folder: string, ...args: readonly string[]): Promise<GitResult> =>
  tryGit(args, { gitDir: folder, env: { ...usersSettings(), GIT_DIR: undefined } });
