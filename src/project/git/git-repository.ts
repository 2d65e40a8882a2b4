import { join } from 'node:path';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { findCheckoutOf } from './checked-out.ts';
import { Checkout } from './checkout.ts';
import { readCommitTexts } from './commit-texts.ts';
import { compareTrees } from './compare.ts';
import { readEdits, prepareEditTree } from './edited-tree.ts';
import { listAttributeFiles, listFilteredPaths } from './filters.ts';
import { askGit, gitText, runGit, splitNul, tryGit, withUserSettings, type GitCall, type GitResult } from './git.ts';
import { InterruptedMerge, type RefMove } from './interrupted-merge.ts';
import { giveObjects } from './loose-objects.ts';
import { describeGitRefusal } from './describe-git-refusal.ts';
import { syncObjects, syncRefs } from './make-durable.ts';
import { listAuthors, findCommitsByMessage, isAncestor, listAbandonedCommits } from './history.ts';
import { listRefs, readRef } from './refs.ts';
import { findTarget, readLinkedRef } from './find-target.ts';
import { readTargetState } from './target-state.ts';
import { findFile } from './listing.ts';
import { readSigning } from './signing.ts';
import { Vault } from './vault.ts';
import { KnownHistory } from './known-history.ts';

/** git for the line: a vault to build in, and the user's repository, to which results are handed. */
export type Repository = Awaited<ReturnType<typeof openRepository>>;

/** Opens the repository for the line; the vault is in `stateFolder`. */
export async function openRepository(facts: RepositoryFacts, stateFolder: string) {
  const half = new InterruptedMerge(stateFolder, facts.commonDir);
  const checkout = new Checkout(facts.root, half);
  const vault = await Vault.open(openDir(stateFolder).place('vault.git'), facts);
  const { trees } = vault;
  const theirs: GitCall = { gitDir: facts.commonDir };
  const histories = new Map<string, KnownHistory>();

  /** The commit of a full ref name; undefined when it does not exist. */
  const resolve = async (ref: string): Promise<string | undefined> => {
    const commit = await commitOf(ref);
    if (commit !== undefined) trees.known.handedOver([commit]);
    return commit;
  };

  const commitOf = async (ref: string): Promise<string | undefined> => {
    const read = readRef(facts.commonDir, ref);
    if (read !== undefined) return read ?? undefined;
    const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    return (await gitText(words, { ...theirs, accept: [1] })) || undefined; // a git that fails is no missing ref
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
    typeof readRef(facts.commonDir, ref) === 'string' ? ref : ((await readLinkedRef(theirs, ref)) ?? ref);

  const checkedOut = async (): Promise<string | undefined> => {
    const head = await checkout.head();
    return head === '' ? undefined : head;
  };

  /** Hands commits over and moves refs in one transaction, each only from its expected value. */
  const publish = (refs: readonly RefMove[]): Promise<Outcome<void, string>> => half.inTurn(() => publishNow(refs));

  const publishNow = async (refs: readonly RefMove[]): Promise<Outcome<void, string>> => {
    const tips = refs.map(({ to }) => to);
    const refused = await handOver(tips.filter((tip) => !trees.known.isHandedOver(tip)));
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
      await half.repairNow({ patient: true });
      return failure(describeGitRefusal(moved.stderr));
    }
    await syncRefs(
      facts.commonDir,
      refs.map(({ ref }) => ref),
    );
    half.endRefs();
    trees.known.handedOver(tips);
    return success(undefined);
  };

  return {
    facts,
    resolve,
    publish,
    repair: half.repair.bind(half),
    target: (named: string | undefined) => findTarget(named, { theirs, resolve, checkedOut }),
    targetState: async (ref: string, paths?: readonly string[]) =>
      readTargetState(facts, checkout, await followed(ref), paths),
    checkedOut,
    /** The folder in which a branch is checked out or rebased; undefined without one. */
    async checkedOutIn(ref: string) {
      const folder = findCheckoutOf(facts.root, facts.commonDir, ref);
      return folder === undefined ? (await checkout.whereCheckedOut(ref)).folder : folder === '' ? undefined : folder;
    },
    /** Refs by prefix; with `within` only those whose commits that branch contains. */
    async refsUnder(prefix: string, within?: string) {
      const listed = listRefs(facts.commonDir, prefix);
      if (listed !== undefined && (within === undefined || listed.length === 0)) return listed;
      const only = within === undefined ? [] : [`--merged=${within}`];
      const rows = await gitText(['for-each-ref', '--format=%(objectname) %(refname)', ...only, prefix], theirs);
      return rows
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => ({ commit: row.slice(0, row.indexOf(' ')), ref: row.slice(row.indexOf(' ') + 1) }));
    },
    files: trees.files.bind(trees),
    /** Whether git knows this path in the user's checkout, committed or only added. */
    async isTracked(path: string) {
      const call = { gitDir: join(facts.root, '.git'), workTree: facts.root, accept: [1] };
      const found = await askGit(['ls-files', '--error-unmatch', '--', `:(top,literal)${path}`], call);
      return found.code === 0;
    },
    /** The untracked ones of these paths in the user's checkout that git ignores, also by the user's own settings. */
    async listIgnored(paths: readonly string[]) {
      const call = { gitDir: join(facts.root, '.git'), workTree: facts.root, env: withUserSettings(), accept: [1] };
      const input = paths.map((path) => `./${path}\0`).join(''); // so that no name is read as a pattern
      const ignored = splitNul(await runGit(['check-ignore', '-z', '--stdin'], { ...call, input }));
      return ignored.map((path) => path.slice(2));
    },
    /** The filtered ones of these paths by the commit's .gitattributes, with their filters. */
    filtered: async (commit: string, paths: readonly string[]) =>
      listFilteredPaths(vault.gitDir, await trees.files(commit), paths),
    read: trees.read.bind(trees),
    readSmall: trees.readSmall.bind(trees),
    build: vault.build.bind(vault),
    diff: trees.diff.bind(trees),
    patch: trees.patch.bind(trees),
    patchOf: trees.patchOf.bind(trees),
    compare: compareTrees.bind(undefined, trees),
    patches: trees.patches.bind(trees),
    commitTexts: readCommitTexts.bind(undefined, theirs),
    blobs: trees.blobs.bind(trees),
    /** The newest commits of a branch as a small graph for people. */
    log: (ref: string) =>
      gitText(['log', '--graph', '--oneline', '--no-color', '--max-count=20', '--end-of-options', ref, '--'], theirs),
    countLines: trees.countLines.bind(trees),
    mergeTrees: vault.mergeTrees.bind(vault),
    replay: vault.replay.bind(vault),
    treeOf: (commit: string) => trees.rootOf(commit, []),
    isWhole: vault.isWhole.bind(vault),
    /** Recreates deleted refs; the user's repository gets their commits again, since it may have lost them. */
    async restore(refs: readonly { readonly ref: string; readonly to: string }[]) {
      trees.known.forgetWhatProjectHas();
      return publish(refs.map(({ ref, to }) => ({ ref, old: undefined, to })));
    },
    /** The tree of `target` without the changes of the merge commit `merge`; or the paths that conflict. */
    revert: (target: string, merge: string) => vault.replay({ before: merge, after: `${merge}^1`, onto: target }),
    signing: readSigning.bind(undefined, facts.root),
    trySigning: vault.signer.try.bind(vault.signer),
    authors: listAuthors.bind(undefined, theirs),
    commitTree: vault.commitTree.bind(vault),
    checkOut: vault.checkOut.bind(vault),
    checkOutAnew: vault.checkOutAnew.bind(vault),
    layOut: prepareEditTree.bind(undefined, vault),
    editedIn: readEdits.bind(undefined, vault.gitDir),
    isAncestor: isAncestor.bind(undefined, theirs),
    commitsLike: findCommitsByMessage.bind(undefined, theirs),
    /** The commits of a whole history whose message has a line for each pattern, newest first; what was found is kept. */
    searchHistory(tip: string, patterns: readonly string[]) {
      const key = patterns.join('\n');
      const history = histories.get(key) ?? new KnownHistory(theirs, trees.known, patterns);
      histories.set(key, history);
      return history.search(tip);
    },
    leftBehind: listAbandonedCommits.bind(undefined, facts.commonDir),
    /** Removes a branch if it is still at the expected commit. */
    async removeRef(ref: string, old: string) {
      await tryGit(['update-ref', '-d', ref, old], theirs);
    },
    /**
     * Moves a branch forward, in its checkout or by its ref alone. `wide`: nothing at all could land there now, whatever
     * the change.
     */
    async land(
      named: string,
      old: string,
      to: string,
    ): Promise<Outcome<void, { readonly reason: string; readonly wide?: true }>> {
      const target = await followed(named);
      const { folder, busy } = await checkout.whereCheckedOut(target);
      if (busy !== undefined) return failure({ reason: busy, wide: true });
      if (folder === undefined) {
        const moved = await publish([{ ref: target, old, to }]);
        return moved.ok ? success(undefined) : failure({ reason: moved.why });
      }
      const [before, after] = [await trees.files(old), await trees.files(to)];
      const changed = (await trees.diff(old, to))
        .flatMap(({ path, from, status }) =>
          from === undefined
            ? [{ path, status }]
            : [
                { path, status: 'added' },
                { path: from, status: 'deleted' },
              ],
        )
        .map((file) => ({ ...file, before: findFile(before, file.path), after: findFile(after, file.path) }));
      const rules = listAttributeFiles(after);
      const mayFilter = rules.length > 0 || (await checkout.hasOwnAttributes());
      const forwarded = await checkout.fastForward({ folder, ref: target, old, to, changed, mayFilter });
      return forwarded.ok ? success(undefined) : failure({ reason: forwarded.why });
    },
  };
}
