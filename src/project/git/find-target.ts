import { toBranchName, isTaskBranch } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { gitText, tryGit, type GitCall } from './run-git.ts';
import { countMissingObjects } from './history.ts';
import { readSymbolicRef } from './refs.ts';

const ORIGIN_HEAD = 'refs/remotes/origin/HEAD';

/** The remedy; `target:` is of the project, the others of one task. */
const NAME_ONE =
  'name one that exists: `target: main` in .andon/config.yaml, git.base_branch in a contract, or `andon new --branch`';

/** The user's repository, as far as a target is looked up in it. */
interface TargetSearch {
  readonly theirs: GitCall;
  readonly resolve: (ref: string) => Promise<string | undefined>;
  readonly checkedOut: () => Promise<string | undefined>;
}

/** The branch to merge into and its commit; refuses in one sentence. */
export async function findTarget(
  named: string | undefined,
  search: TargetSearch,
): Promise<Outcome<{ readonly ref: string; readonly commit: string }, string>> {
  const { theirs, resolve } = search;
  const found = named === undefined ? await findImplicitTarget(search) : success(`refs/heads/${named}`);
  if (!found.ok) return found;
  const ref = found.value;
  const commit = ref === undefined ? undefined : await resolve(ref);
  if (ref !== undefined && commit !== undefined) {
    const missing = await countMissingObjects(theirs, commit);
    if (missing === 0) return success({ ref, commit });
    return failure(
      `${toBranchName(ref)} is not whole in this partial clone: ${missing} of its objects were never fetched; git fetch --refetch --no-filter fetches them`,
    );
  }
  if (
    (await tryGit(['rev-parse', '--verify', '--quiet', 'HEAD'], theirs)).code !== 0 &&
    (await gitText(['for-each-ref', '--count=1', 'refs/heads'], theirs)) === ''
  ) {
    return failure('the repository has no commits yet; make a first commit');
  }
  return failure(
    ref === undefined
      ? `HEAD is detached and no target branch is named; ${NAME_ONE}, or run \`git switch <branch>\``
      : `there is no branch ${toBranchName(ref)} to merge into; ${NAME_ONE}`,
  );
}

/** The target of a symbolic ref; undefined for any other ref. */
export async function readLinkedRef(theirs: GitCall, ref: string): Promise<string | undefined> {
  const named = await tryGit(['symbolic-ref', '--quiet', ref], theirs);
  return named.code === 0 ? named.stdout.toString('utf8').trim() : undefined;
}

/** The target of a contract without a branch: never a task's own branch, even when it is checked out. */
async function findImplicitTarget(search: TargetSearch): Promise<Outcome<string | undefined, string>> {
  const remote = await findRemoteDefault(search);
  if (remote !== undefined && !isTaskBranch(remote)) return success(remote);
  const head = await search.checkedOut();
  if (head === undefined || !isTaskBranch(head)) return success(head);
  const usual = ['refs/heads/main', 'refs/heads/master'];
  const there = await Promise.all(usual.map(async (ref) => ((await search.resolve(ref)) === undefined ? [] : [ref])));
  const [only, other] = there.flat();
  return only !== undefined && other === undefined
    ? success(only)
    : failure(`${toBranchName(head)}, which is checked out, is the branch of a task; ${NAME_ONE}`);
}

/** The target of `origin/HEAD`, when a local branch of that name exists. */
async function findRemoteDefault({ theirs, resolve }: TargetSearch): Promise<string | undefined> {
  const read = readSymbolicRef(theirs.gitDir, ORIGIN_HEAD);
  const remote = read === undefined ? await readLinkedRef(theirs, ORIGIN_HEAD) : (read ?? undefined);
  if (remote === undefined) return undefined;
  const local = `refs/heads/${remote.replace('refs/remotes/origin/', '')}`;
  return (await resolve(local)) === undefined ? undefined : local;
}
