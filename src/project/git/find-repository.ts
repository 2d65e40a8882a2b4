import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { lstatPath } from '../../base/system/safe-fs.ts';
import { isOlder, findVersion } from '../../base/find-version.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import { tryGit, withUserSettings, type GitResult } from './run-git.ts';
import { createNotFound, explainUnopenedRepository, type NotHere } from './describe-git-refusal.ts';
import { findGitDir } from './operation-in-progress.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** Variables by which the user tells git where to look. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Inspects the repository that contains `folder`, as far up as the environment lets git search; a fault and its remedy
 * when andon cannot work there.
 */
export async function findRepository(
  folder: string,
  env: Environment = process.env,
): Promise<Outcome<RepositoryFacts, NotHere>> {
  const isAsked = LOOKS.some((name) => env[name] !== undefined);
  const plain = isAsked ? undefined : plainRepository(folder);
  const found = plain === undefined ? await readFromGit(folder, env) : success(plain);
  return namesAnother(folder, env, found.ok ? found.value : undefined) ?? found;
}

/** Variables that limit git's search. */
const LOOKS = ['GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'] as const;

/** andon works in a checkout with its own `.git`; a variable that names another one is reported. */
function namesAnother(
  folder: string,
  env: Environment,
  found: RepositoryFacts | undefined,
): Outcome<never, NotHere> | undefined {
  const refuse = (name: string): Outcome<never, NotHere> =>
    failure({
      sentence: `${name} is set to ${env[name] ?? ''}, which does not contain ${folder}${found === undefined ? '' : ` (${name === 'GIT_WORK_TREE' ? found.root : found.commonDir})`}`,
      remedy: `unset ${name}, or run andon in the checkout that you mean`,
    });
  const isAt = (name: string, place: string | undefined): boolean =>
    env[name] === undefined || (place !== undefined && realOf(resolve(folder, env[name])) === realOf(place));
  if (!isAt('GIT_WORK_TREE', found?.root)) return refuse('GIT_WORK_TREE');
  if (!isAt('GIT_COMMON_DIR', found?.commonDir)) return refuse('GIT_COMMON_DIR');
  const isOwn = isAt('GIT_DIR', found && findGitDir(found.root)) || isAt('GIT_DIR', found && join(found.root, '.git'));
  return isOwn ? undefined : refuse('GIT_DIR');
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

export const pick = (env: Environment, names: readonly string[]): Environment =>
  Object.fromEntries(names.map((name) => [name, env[name]]));

/**
 * A standard repository of `git init` or `git clone`, found like git without a process. Undefined when git must be
 * asked: for a worktree, a submodule, a bare one, another user's, or special settings.
 */
function plainRepository(folder: string): RepositoryFacts | undefined {
  try {
    const start = realpathSync(folder);
    const { dev } = lstatSync(start);
    for (let root = start; ; root = dirname(root)) {
      const here = lstatSync(root);
      const gitDir = join(root, '.git');
      if (here.dev !== dev || lstatPath(join(root, 'HEAD')) !== undefined) return undefined; // a mount, or git's own folder
      const found = lstatPath(gitDir);
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

function isPlain(gitDir: string): boolean {
  const folders = ['objects', 'refs'].every((name) => lstatPath(join(gitDir, name))?.isDirectory() === true);
  const files = ['HEAD', 'config'].every((name) => lstatPath(join(gitDir, name))?.isFile() === true);
  if (!folders || !files || lstatPath(join(gitDir, 'commondir')) !== undefined) return false;
  if (!/^(?:ref: refs\/|[0-9a-f]{40})/.test(readFileSync(join(gitDir, 'HEAD'), 'utf8'))) return false;
  const config = readFileSync(join(gitDir, 'config'), 'utf8');
  return config.split(/\r?\n/).every((line) => PLAIN_LINE.test(line.trim()));
}

/** A line of an ordinary `.git/config`: with any other, git is asked, which may accept it. */
const PLAIN_LINE = new RegExp(
  [
    String.raw`^(?:[#;].*`,
    String.raw`\[(?:commit|core|gc|maintenance|pull|user|(?:branch|remote) "[^"\\]*")\]`,
    'repositoryformatversion = 0',
    'bare = false',
    '(?:filemode|gpgsign|ignorecase|logallrefupdates|precomposeunicode|rebase|symlinks) = (?:true|false)',
    'auto = (?:true|false|\\d+)',
    'autocrlf = (?:true|false|input)',
    String.raw`(?:email|fetch|hookspath|merge|name|pushurl|remote|signingkey|url) = [^"\\#;~]+)?$`,
  ].join('|'),
  'i',
);

async function readFromGit(folder: string, env: Environment): Promise<Outcome<RepositoryFacts, NotHere>> {
  try {
    const bare = '--is-bare-repository'; // asked in between too: a path may contain a line break
    const wanted = [bare, '--path-format=absolute', '--git-common-dir', bare, '--show-toplevel'];
    const result = await tryGitHere(folder, pick(env, LOOKS), 'rev-parse', ...wanted);
    const text = result.stdout.toString('utf8');
    if (text.startsWith('true\n'))
      return failure({
        sentence: `${folder} is a bare repository, without a checkout in which _handoff/ could lie`,
        remedy: 'make one beside it (git worktree add <folder>) and run andon there',
      });
    if (result.code !== 0) return failure(explainUnopenedRepository(folder, result.stderr.trim()));
    const [commonDir = '', root = ''] = text.slice('false\n'.length, -1).split('\nfalse\n');
    return success({ root, commonDir });
  } catch (error) {
    return failure(explainUnopenedRepository(folder, getErrorMessage(error)));
  }
}

/** git as the user runs it in a folder: it searches for the repository and checks its owner. */
const tryGitHere = (folder: string, env: Environment, ...args: readonly string[]): Promise<GitResult> =>
  tryGit(args, { gitDir: folder, env: { ...withUserSettings(), GIT_DIR: undefined, ...env } });

/** git 2.38 brought `merge-tree --write-tree`. */
const MINIMUM_GIT = '2.38';

/** The version of git, which must support building merges. */
export async function readGitVersion(folder: string): Promise<Outcome<string, NotHere>> {
  const result = await tryGitHere(folder, {}, 'version');
  const version = result.stdout.toString('utf8').trim().replace('git version ', '');
  if (result.code !== 0) return failure(explainUnopenedRepository(folder, result.stderr.trim()));
  if (!isOlder(findVersion(version) ?? '0', MINIMUM_GIT)) return success(version);
  return failure(createNotFound(`git ${version} is too old; andon needs ${MINIMUM_GIT} or newer`, 'update git'));
}
