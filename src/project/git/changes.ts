import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import { pick } from './find-repository.ts';
import { gitText, tryGit, type GitCall } from './run-git.ts';
import { describeGitRefusal, createNotFound, type NotHere } from './describe-git-refusal.ts';
import { readHeadCommit, readRef } from './refs.ts';
import { findGitDir } from './operation-in-progress.ts';

/** The branch that a change will go into; `isNamed`: a person named it, andon did not guess it. */
export interface BaseBranch {
  readonly name: string;
  readonly isNamed: boolean;
}

/** Two trees of the user's repository, by ids that `Repository` can read, and a description of their difference. */
export interface ChangeRange {
  readonly from: string;
  readonly to: string;
  readonly title: string;
  /** The target branch, by its short name, and its last commit. */
  readonly base?: { readonly name: string; readonly commit: string };
}

/**
 * Inspects changes before they enter a repository. Trees of staged content are written to the vault in `stateFolder`,
 * from a copy of the index; `env` is the user's, for one of their settings.
 */
export function openChanges(
  { root, commonDir }: RepositoryFacts,
  stateFolder: string,
  env: Readonly<Record<string, string | undefined>>,
) {
  const vault = join(stateFolder, 'vault.git');
  const theirs: GitCall = { gitDir: findGitDir(root) };

  const commitOf = async (name: string): Promise<string | undefined> => {
    const read = name === 'HEAD' ? readHeadCommit(root) : readRef(commonDir, name);
    if (read !== undefined) return read ?? undefined;
    const found = await tryGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], theirs);
    return found.code === 0 ? found.stdout.toString('utf8').trim() : undefined;
  };

  const isShallow = async (): Promise<boolean> =>
    (await gitText(['rev-parse', '--is-shallow-repository'], theirs)) === 'true';

  return {
    /**
     * From the point where the current branch left `base`, to its last commit. A branch that a person named is that of
     * this repository, where it has one; else what was fetched last counts first.
     */
    async sinceBranch({ name: base, isNamed }: BaseBranch): Promise<Outcome<ChangeRange, NotHere>> {
      const head = await commitOf('HEAD');
      if (head === undefined)
        return failure(createNotFound('the repository has no commits yet', 'make a first commit'));
      const [remote, own] = [`refs/remotes/origin/${base}`, [`refs/heads/${base}`, `refs/tags/${base}`]];
      const pushed = await commitOf(remote);
      const branch = isNamed
        ? (await tryGit(['symbolic-ref', '--quiet', 'HEAD'], theirs)).stdout.toString('utf8').trim()
        : '';
      const isItself = branch === `refs/heads/${base}` && pushed !== undefined && pushed !== head;
      const instead = isItself ? `, because ${base} is checked out` : `, because there is no branch ${base} here`;
      for (const name of isNamed ? [...own, remote, base] : [remote, ...own, base]) {
        const commit = name === remote ? pushed : await commitOf(name);
        // On the named branch itself there is no change since it, only since what was fetched of it.
        if (commit === undefined || (isItself && name === branch)) continue;
        const found = await tryGit(['merge-base', commit, head], theirs);
        const from = found.stdout.toString('utf8').trim();
        if (found.code === 0 && from !== '')
          return success({
            from,
            to: head,
            title: `the change since ${shortName(name)}${isNamed && name === remote ? instead : ''}`,
            base: { name: shortName(name), commit },
          });
        return failure(await explainNoCommonCommit(shortName(name), isShallow));
      }
      return failure(createNoBase(base, await isShallow()));
    },

    /** From the last commit to the index; `index` is the file git names to its hooks. */
    async staged(index: string | undefined): Promise<Outcome<ChangeRange, NotHere>> {
      const folder = mkdtempSync(join(stateFolder, `index.${process.pid}.`));
      try {
        const call: GitCall = { ...theirs, index: join(folder, 'index'), env: copyToVault(vault, commonDir) };
        const own = index === undefined ? join(theirs.gitDir, 'index') : resolve(root, index);
        if (existsSync(own)) copyFileSync(own, join(folder, 'index'));
        const written = await tryGit(['write-tree'], call);
        if (written.code !== 0) return failure(explainUnwritten(written.stderr));
        const from = (await commitOf('HEAD')) ?? (await gitText(['hash-object', '-t', 'tree', '--stdin'], theirs));
        return success({ from, to: written.stdout.toString('utf8').trim(), title: 'what is staged' });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },

    hooksFolder: () => findHooksFolder({ root, commonDir }, theirs, env),
  };
}

/** New objects go into the vault; existing ones are read from the repository. */
export function copyToVault(vault: string, commonDir: string): Record<string, string> {
  mkdirSync(join(vault, 'objects'), { recursive: true });
  return {
    GIT_OBJECT_DIRECTORY: join(vault, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${quoted(join(commonDir, 'objects'))}"`,
  };
}

const quoted = (path: string): string => path.replace(/["\\]/g, '\\$&');

const shortName = (ref: string): string => ref.replace(/^refs\/(?:remotes|heads|tags)\//, '');

function createNoBase(named: string, shallow: boolean): NotHere {
  const base = named.replace(/^origin\//, '');
  const fetch = `git fetch ${shallow ? '--unshallow ' : ''}origin ${base}:refs/remotes/origin/${base}`;
  return createNotFound(
    `there is neither origin/${base} nor ${base} to compare with`,
    `${fetch}, or name another branch with --base${shallow ? ' (in GitHub Actions: actions/checkout with fetch-depth: 0)' : ''}`,
  );
}

async function explainNoCommonCommit(name: string, isShallow: () => Promise<boolean>): Promise<NotHere> {
  if (!(await isShallow()))
    return createNotFound(`this branch and ${name} have no commit in common`, 'name another branch with --base');
  return createNotFound(
    `this clone is shallow: it does not reach back to where the branch left ${name}`,
    'git fetch --unshallow, or git fetch --deepen=100 (in GitHub Actions: actions/checkout with fetch-depth: 0)',
  );
}

function explainUnwritten(stderr: string): NotHere {
  if (/unmerged|needs merge/i.test(stderr))
    return createNotFound('files are staged with conflicts', 'put them right and git add them, then try again');
  return createNotFound(
    `what is staged cannot be read: ${describeGitRefusal(stderr)}`,
    'git status says what is wrong',
  );
}

/**
 * The last `core.hooksPath` that git would obey, without andon's own override at the end; `isShared`: set for this user
 * or this machine, not for this repository.
 */
export async function findHooksFolder(
  { root, commonDir }: RepositoryFacts,
  theirs: GitCall,
  env: Readonly<Record<string, string | undefined>>,
) {
  const words = ['config', '-z', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const result = await tryGit(words, { ...theirs, env: pick(env, SEEN) });
  const fields = result.stdout.toString('utf8').split('\0');
  const set = fields.flatMap((scope, at) =>
    at % 2 === 0 && scope !== '' && scope !== 'command' ? [{ scope, path: fields[at + 1] ?? '' }] : [],
  );
  const last = set.at(-1);
  if (last === undefined) return { folder: join(commonDir, 'hooks'), isShared: false };
  return { folder: resolve(root, last.path), isShared: last.scope !== 'local' && last.scope !== 'worktree' };
}

/** Variables that locate this setting of the user, in addition to the repository. */
const SEEN = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
