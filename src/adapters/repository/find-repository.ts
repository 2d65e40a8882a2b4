import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { RepositoryFacts } from '../../ports/repository.ts';
import { tryGit, withUserSettings, type GitResult } from './git.ts';
import { explainUnopenedRepository, type NotHere } from './describe-git-refusal.ts';
import { isPlainConfig } from './plain-config.ts';

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
  const found = plain === undefined ? await askGit(folder, env) : success(plain);
  return (await namesAnother(folder, env, found.ok ? found.value : undefined)) ?? found;
}

/** Variables that limit git's search. */
const LOOKS = ['GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'] as const;

/** andon works in a checkout with its own `.git`; a variable that names another one is reported. */
async function namesAnother(
  folder: string,
  env: Environment,
  found: RepositoryFacts | undefined,
): Promise<Outcome<never, NotHere> | undefined> {
  const refuse = (name: string): Outcome<never, NotHere> =>
    failure({
      sentence: `${name} is set to ${env[name] ?? ''}, which does not contain ${folder}${found === undefined ? '' : ` (${name === 'GIT_WORK_TREE' ? found.root : found.commonDir})`}`,
      remedy: `unset ${name}, or run andon in the checkout that you mean`,
    });
  const isAt = (name: string, place: string | undefined): boolean =>
    env[name] === undefined || (place !== undefined && realOf(resolve(folder, env[name])) === realOf(place));
  if (!isAt('GIT_WORK_TREE', found?.root)) return refuse('GIT_WORK_TREE');
  if (!isAt('GIT_COMMON_DIR', found?.commonDir)) return refuse('GIT_COMMON_DIR');
  if (env['GIT_DIR'] === undefined || isAt('GIT_DIR', found && join(found.root, '.git'))) return undefined;
  const gitDir = async (named: Environment): Promise<string | undefined> => {
    const said = await asked(folder, named, 'rev-parse', '--absolute-git-dir');
    return said.code === 0 ? said.stdout.toString('utf8') : undefined;
  };
  const [own, named] = await Promise.all([gitDir(pick(env, LOOKS)), gitDir(pick(env, [...LOOKS, 'GIT_DIR']))]);
  return found !== undefined && own !== undefined && own === named ? undefined : refuse('GIT_DIR');
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
  return isPlainConfig(readFileSync(join(gitDir, 'config'), 'utf8'));
}

async function askGit(folder: string, env: Environment): Promise<Outcome<RepositoryFacts, NotHere>> {
  try {
    const said = await asked(
      folder,
      pick(env, LOOKS),
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
    if (said.code !== 0) return failure(explainUnopenedRepository(folder, said.stderr.trim()));
    if (more.length === 0) return success({ root, commonDir });
    return success(await linesApart(folder, pick(env, LOOKS))); // a path with a line break
  } catch (error) {
    return failure(explainUnopenedRepository(folder, error instanceof Error ? error.message : String(error)));
  }
}

/** Each by its own call, so that a line break is part of the path. */
async function linesApart(folder: string, env: Environment): Promise<RepositoryFacts> {
  const [commonDir = '', root = ''] = await Promise.all(
    ['--git-common-dir', '--show-toplevel'].map(async (what) =>
      (await asked(folder, env, 'rev-parse', '--path-format=absolute', what)).stdout
        .toString('utf8')
        .replace(/\n$/, ''),
    ),
  );
  return { root, commonDir };
}

/** git as the user runs it in a folder: it searches for the repository and checks its owner. */
const asked = (folder: string, env: Environment, ...args: readonly string[]): Promise<GitResult> =>
  tryGit(args, { gitDir: folder, env: { ...withUserSettings(), GIT_DIR: undefined, ...env } });
