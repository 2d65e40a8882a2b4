import { join } from 'node:path';
import type { RepositoryFacts, CommitText } from './repository-facts.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { findCheckoutOf } from './checked-out.ts';
import { Checkout } from './checkout.ts';
import type { MergeObstacle } from './find-merge-obstacle.ts';
import { compareTrees } from './compare-trees.ts';
import { readEdits, prepareEditTree } from './edited-tree.ts';
import { createPublisher } from './create-publisher.ts';
import { listFilteredPaths, listAttributeFiles, listOwnAttributeFiles } from './filters.ts';
import { askGit, gitText, runGit, splitNul, tryGit, withUserSettings, type GitCall } from './run-git.ts';
import { InterruptedMerge } from './interrupted-merge.ts';
import { listAuthors, findCommitsByMessage, isAncestor, listAbandonedCommits } from './history.ts';
import { listRefs, readRef } from './refs.ts';
import { findTarget, readLinkedRef } from './find-target.ts';
import { readTargetState, type EditedPlaces } from './read-target-state.ts';
import { readSigning } from './read-signing.ts';
import { Vault } from './vault.ts';
import { KnownHistory } from './known-history.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { findFile } from './listing.ts';

/** git for the line: a vault to build in, and the user's repository, to which results are handed. */
export type Repository = Awaited<ReturnType<typeof openRepository>>;

/** Why a branch was not moved; `wide`: nothing at all could land there now, whatever the change. */
type Refusal = MergeObstacle & { readonly wide?: true };

/** Opens the repository for the line; the vault is in `stateFolder`. */
export async function openRepository(facts: RepositoryFacts, stateFolder: string) {
  const half = new InterruptedMerge(stateFolder, facts);
  const checkout = new Checkout(facts.root, half);
  const vault = await Vault.open(openDir(stateFolder).place('vault.git'), facts);
  const { trees } = vault;
  const theirs: GitCall = { gitDir: facts.commonDir };

  const publish = createPublisher(facts.commonDir, vault, half);

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

  /** The branch behind a symbolic name: `main` may point to `master`, which is then checked out. */
  const followed = async (ref: string): Promise<string> =>
    typeof readRef(facts.commonDir, ref) === 'string' ? ref : ((await readLinkedRef(theirs, ref)) ?? ref);

  const checkedOut = async (): Promise<string | undefined> => {
    const head = await checkout.head();
    return head === '' ? undefined : head;
  };

  /** Moves a branch forward, in its checkout or by its ref alone. */
  const land = async (named: string, old: string, to: string): Promise<Outcome<void, Refusal>> => {
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
    const mayFilter = listAttributeFiles(after).length > 0 || (await listOwnAttributeFiles(facts)).length > 0;
    return checkout.fastForward({ folder, ref: target, old, to, changed, mayFilter });
  };

  return {
    facts,
    resolve,
    publish,
    repair: half.repair.bind(half),
    target: (named: string | undefined) => findTarget(named, { theirs, resolve, checkedOut }),
    targetState: async (ref: string, places?: EditedPlaces) =>
      readTargetState(facts, checkout, trees.known, await followed(ref), places),
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
    /** The filtered ones of these paths at a commit, with their filters. */
    filtered: async (commit: string, paths: readonly string[]) =>
      listFilteredPaths(
        vault.gitDir,
        { files: await trees.files(commit), own: await listOwnAttributeFiles(facts) },
        paths,
      ),
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
    /** The commits of a branch's history whose message has a line for each pattern, newest first; what was found is kept. */
    searchHistory: ({ ref, commit }: { readonly ref: string; readonly commit: string }, patterns: readonly string[]) =>
      KnownHistory.of(theirs, ref, patterns).search(commit, trees.known),
    leftBehind: listAbandonedCommits.bind(undefined, facts.commonDir),
    /** Removes a branch if it is still at the expected commit; whether it did. */
    async removeRef(ref: string, old: string) {
      return (await tryGit(['update-ref', '-d', ref, old], theirs)).code === 0;
    },
    land,
  };
}

/** Messages, authors and notes of the commits in `to` and not in `without`, and their tags. */
async function readCommitTexts(
  repository: GitCall,
  to: string,
  without: readonly string[],
  most: number,
): Promise<readonly CommitText[] | undefined> {
  const range = ['--end-of-options', to, ...without.map((commit) => `^${commit}`), '--'];
  const logged = await fieldsOf(
    repository,
    [
      'log',
      '--no-show-signature',
      '--encoding=UTF-8',
      '--notes=*',
      '--format=%H%x00%an <%ae>%n%cn <%ce>%n%B%x00%N%x00',
      ...range,
    ],
    most,
  );
  if (logged === undefined) return undefined;
  const texts: CommitText[] = [];
  const commits = new Set<string>();
  for (let at = 0; at + 2 < logged.length; at += 3) {
    const [commit = '', message = '', note = ''] = logged.slice(at, at + 3);
    commits.add(commit.trim());
    texts.push({ commit: commit.trim(), kind: 'message', name: '', text: message });
    if (note.trim() !== '') texts.push({ commit: commit.trim(), kind: 'note', name: '', text: note });
  }
  const tags = await fieldsOf(
    repository,
    ['for-each-ref', '--format=%(objectname)%00%(*objectname)%00%(refname:strip=2)%00%(contents)%00', 'refs/tags'],
    most,
  );
  if (tags === undefined) return undefined;
  for (let at = 0; at + 3 < tags.length; at += 4) {
    const [own = '', peeled = '', name = '', contents = ''] = tags.slice(at, at + 4);
    const commit = peeled === '' ? own.trim() : peeled;
    // For a tag without a message, git prints that of the commit.
    if (commits.has(commit))
      texts.push({ commit, kind: 'tag', name, text: peeled === '' ? name : `${name}\n${contents}` });
  }
  return texts;
}

/** git's output between zero bytes; undefined where it exceeds `most` bytes. */
async function fieldsOf(
  { gitDir }: GitCall,
  words: readonly string[],
  most: number,
): Promise<readonly string[] | undefined> {
  const { stdout, isCut } = await askGit(words, { gitDir, most });
  return isCut === true ? undefined : stdout.toString('utf8').split('\0');
}
