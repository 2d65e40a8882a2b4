import { join } from 'node:path';
import { toBranchName, isTaskBranch } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Repository, RepositoryFacts } from '../../ports/repository.ts';
import { openDir } from '../safe-fs.ts';
import { failpoint } from '../failpoints.ts';
import { findCheckoutOf } from './checked-out.ts';
import { Checkout } from './checkout.ts';
import { readCommitTexts } from './commit-texts.ts';
import { compareTrees } from './compare.ts';
import { readEdits, prepareEditTree } from './edited-tree.ts';
import { listAttributeFiles, listFilteredPaths } from './filters.ts';
import { gitText, tryGit, type GitCall, type GitResult } from './git.ts';
import { InterruptedMerge } from './interrupted-merge.ts';
import { giveObjects } from './loose-objects.ts';
import { describeGitRefusal } from './describe-git-refusal.ts';
import { syncObjects, syncRefs } from './make-durable.ts';
import { listAuthors, findCommitsByMessage, isAncestor, listAbandonedCommits, countMissingObjects } from './history.ts';
import { hasNoRefsUnder, readRef, readSymbolicRef } from './refs.ts';
import { readTargetState } from './target-state.ts';
import { readSigning } from './signing.ts';
import { Vault } from './vault.ts';

const ORIGIN_HEAD = 'refs/remotes/origin/HEAD';

/** Opens the repository for the line; the vault is in `findStateFolder`. */
export async function openRepository(facts: RepositoryFacts, stateFolder: string): Promise<Repository> {
  const half = new InterruptedMerge(stateFolder, facts.commonDir);
  const checkout = new Checkout(facts.root, half);
  const vault = await Vault.open(openDir(stateFolder).place('vault.git'), facts);
  const theirs: GitCall = { gitDir: facts.commonDir };

  const resolve = async (ref: string): Promise<string | undefined> => {
    const commit = await commitOf(ref);
    if (commit !== undefined) vault.trees.known.handedOver([commit]);
    return commit;
  };

  const commitOf = async (ref: string): Promise<string | undefined> => {
    const read = readRef(facts.commonDir, ref);
    if (read !== undefined) return read ?? undefined;
    const result = await tryGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], theirs);
    return result.code === 0 ? result.stdout.toString('utf8').trim() : undefined;
  };

  const branchTips = async (): Promise<readonly string[]> =>
    (await gitText(['for-each-ref', '--format=%(objectname)', 'refs/heads'], theirs))
      .split('\n')
      .filter((id) => id !== '');

  /** Hands over what `tips` need and `have` lacks. */
  const unpack = async (tips: readonly string[], have: readonly string[]): Promise<GitResult> =>
    tryGit(['unpack-objects', '-q', '--strict'], { ...theirs, input: await vault.pack(tips, have) });

  /** Gives the project the missing objects of these commits; git's words when it refuses. */
  const handOver = async (tips: readonly string[]): Promise<string | undefined> => {
    if (tips.length === 0) return undefined;
    const missing = vault.missing(tips);
    if (missing?.objects !== undefined && (await gave(missing.objects))) return undefined;
    let unpacked = await unpack(tips, missing?.beneath ?? (await branchTips()));
    if (unpacked.code !== 0 && missing !== undefined) unpacked = await unpack(tips, await branchTips());
    if (unpacked.code !== 0) return unpacked.stderr;
    await syncObjects(facts.commonDir);
    return undefined;
  };

  /** Gives objects as files; where that fails, git is asked, and reports the reason if it fails too. */
  const gave = async (objects: readonly string[]): Promise<boolean> => {
    try {
      return await giveObjects(vault.gitDir, facts.commonDir, objects);
    } catch {
      return false;
    }
  };

  /** The branch behind a symbolic name: `main` may point to `master`, which is then checked out. */
  const followed = async (ref: string): Promise<string> =>
    typeof readRef(facts.commonDir, ref) === 'string' ? ref : ((await leadsTo(ref)) ?? ref);

  /** The target of a symbolic ref; undefined for any other ref. */
  const leadsTo = async (ref: string): Promise<string | undefined> => {
    const named = await tryGit(['symbolic-ref', '--quiet', ref], theirs);
    return named.code === 0 ? named.stdout.toString('utf8').trim() : undefined;
  };

  /** The target of `origin/HEAD`, when a local branch of that name exists. */
  const originDefault = async (): Promise<string | undefined> => {
    const read = readSymbolicRef(facts.commonDir, ORIGIN_HEAD);
    const remote = read === undefined ? await leadsTo(ORIGIN_HEAD) : (read ?? undefined);
    if (remote === undefined) return undefined;
    const local = `refs/heads/${remote.replace('refs/remotes/origin/', '')}`;
    return (await resolve(local)) === undefined ? undefined : local;
  };

  const checkedOut = async (): Promise<string | undefined> => {
    const head = await checkout.head();
    return head === '' ? undefined : head;
  };

  /** The target of a contract without a branch: never a task's own branch, even when it is checked out. */
  const implicitTarget = async (): Promise<Outcome<string | undefined, string>> => {
    const remote = await originDefault();
    if (remote !== undefined && !isTaskBranch(remote)) return success(remote);
    const head = await checkedOut();
    if (head === undefined || !isTaskBranch(head)) return success(head);
    const usual = ['refs/heads/main', 'refs/heads/master'];
    const there = await Promise.all(usual.map(async (ref) => ((await resolve(ref)) === undefined ? [] : [ref])));
    const [only, other] = there.flat();
    return only !== undefined && other === undefined
      ? success(only)
      : failure(
          `${toBranchName(head)}, which is checked out, is the branch of a task; name another one in git.base_branch (andon new: --branch) or in .andon/config.yaml`,
        );
  };

  /** Refs are moved in one transaction, each only from its expected value. */
  const publish: Repository['publish'] = (refs) => half.inTurn(() => publishNow(refs));

  const publishNow: Repository['publish'] = async (refs) => {
    const tips = refs.map(({ to }) => to);
    const refused = await handOver(tips.filter((tip) => !vault.trees.known.isHandedOver(tip)));
    if (refused !== undefined) return failure(`git refused the objects: ${describeGitRefusal(refused)}`);
    const input = refs
      .map(({ ref, old, to }) => (old === undefined ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${old}\0`))
      .join('');
    half.beginRefs(refs);
    failpoint('refs.publish.before-update-ref');
    const moved = await tryGit(['update-ref', '--stdin', '-z', '--create-reflog', '-m', 'andon'], {
      ...theirs,
      input,
      env: { GIT_COMMITTER_NAME: 'andon', GIT_COMMITTER_EMAIL: 'andon@localhost' },
    });
    failpoint('refs.publish.after-update-ref');
    if (moved.code !== 0) {
      await checkout.repairNow({ patient: true });
      return failure(describeGitRefusal(moved.stderr));
    }
    await syncRefs(
      facts.commonDir,
      refs.map(({ ref }) => ref),
    );
    half.endRefs();
    vault.trees.known.handedOver(tips);
    return success(undefined);
  };

  return {
    facts,
    resolve,
    publish,
    repair: (manner) => (!manner.patient && half.isBusy ? Promise.resolve(undefined) : checkout.repair(manner)),
    async target(named) {
      const implicit = named === undefined ? await implicitTarget() : success(`refs/heads/${named}`);
      if (!implicit.ok) return implicit;
      const ref = implicit.value;
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
          ? 'HEAD is detached and no target branch is named; name one in git.base_branch or in .andon/config.yaml'
          : `there is no branch ${toBranchName(ref)} to merge into`,
      );
    },
    targetState: async (ref, paths) => readTargetState(facts, checkout, await followed(ref), paths),
    checkedOut,
    async checkedOutIn(ref) {
      const folder = findCheckoutOf(facts.root, facts.commonDir, ref);
      return folder === undefined ? (await checkout.whereCheckedOut(ref)).folder : folder === '' ? undefined : folder;
    },
    async refsUnder(prefix, within) {
      if (hasNoRefsUnder(facts.commonDir, prefix)) return [];
      const only = within === undefined ? [] : [`--merged=${within}`];
      const rows = await gitText(['for-each-ref', '--format=%(objectname) %(refname)', ...only, prefix], theirs);
      return rows
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => ({ commit: row.slice(0, row.indexOf(' ')), ref: row.slice(row.indexOf(' ') + 1) }));
    },
    files: (commit) => vault.trees.files(commit),
    async isTracked(path) {
      const call = { gitDir: join(facts.root, '.git'), workTree: facts.root };
      const found = await tryGit(['ls-files', '--error-unmatch', '--', `:(top,literal)${path}`], call);
      return found.code === 0;
    },
    filtered: async (commit, paths) => listFilteredPaths(vault.gitDir, await vault.trees.files(commit), paths),
    read: (commit, paths) => vault.trees.read(commit, paths),
    build: (changes, plan) => vault.build(changes, plan),
    diff: (from, to) => vault.trees.diff(from, to),
    patch: (from, to) => vault.trees.patch(from, to),
    patchOf: (from, to, paths, most) => vault.trees.patchOf(from, to, paths, most),
    compare: (from, to, bounds) => compareTrees(vault.trees, from, to, bounds),
    patches: (to, without, most) => vault.trees.patches(to, without, most),
    commitTexts: (to, without, most) => readCommitTexts(theirs, to, without, most),
    blobs: (oids, largest) => vault.trees.blobs(oids, largest),
    log: (ref) =>
      gitText(['log', '--graph', '--oneline', '--no-color', '--max-count=20', '--end-of-options', ref, '--'], theirs),
    countLines: (commit) => vault.trees.countLines(commit),
    mergeTrees: (target, task) => vault.mergeTrees(target, task),
    replay: (move) => vault.replay(move),
    treeOf: (commit) => vault.trees.rootOf(commit, []),
    isWhole: (commit, target) => vault.isWhole(commit, target),
    async restore(refs) {
      vault.trees.known.forgetWhatProjectHas();
      return publish(refs.map(({ ref, to }) => ({ ref, old: undefined, to })));
    },
    revert: (target, merge) => vault.replay({ before: merge, after: `${merge}^1`, onto: target }),
    signing: (ref) => readSigning(facts.root, ref),
    trySigning: (tree, signing, committer) => vault.signer.try(tree, signing, committer),
    authors: (to, without) => listAuthors(theirs, to, without),
    commitTree: (tree, plan) => vault.commitTree(tree, plan),
    checkOut: (commit, folder, paths) => vault.checkOut(commit, folder, paths),
    checkOutAnew: (commit, folder) => vault.checkOutAnew(commit, folder),
    layOut: (commit, folder, hide) => prepareEditTree(vault, commit, folder, hide),
    editedIn: (folder, hide) => readEdits(vault.gitDir, folder, hide),
    isAncestor: (commit, of) => isAncestor(theirs, commit, of),
    commitsLike: (asked) => findCommitsByMessage(theirs, asked),
    leftBehind: (ref) => listAbandonedCommits(facts.commonDir, ref),
    async removeRef(ref, old) {
      await tryGit(['update-ref', '-d', ref, old], theirs);
    },
    async land(named, old, to) {
      const target = await followed(named);
      const { folder, busy } = await checkout.whereCheckedOut(target);
      if (busy !== undefined) return failure({ reason: busy, wide: true });
      if (folder === undefined) {
        const moved = await publish([{ ref: target, old, to }]);
        return moved.ok ? success(undefined) : failure({ reason: moved.why });
      }
      const changed = (await vault.trees.diff(old, to)).flatMap(({ path, from, status }) =>
        from === undefined
          ? [{ path, status }]
          : [
              { path, status: 'added' },
              { path: from, status: 'deleted' },
            ],
      );
      const rules = listAttributeFiles(await vault.trees.files(to));
      const mayFilter = rules.length > 0 || (await checkout.hasOwnAttributes());
      const forwarded = await checkout.fastForward({ folder, ref: target, old, to, changed, mayFilter });
      return forwarded.ok ? success(undefined) : failure({ reason: forwarded.why });
    },
  };
}
