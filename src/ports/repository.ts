import type { ChangedFile, FileWrite, EditedFile } from '../record/change.ts';
import type { Outcome } from '../base/outcome.ts';

/** A file of a tree as git lists it. */
export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
  readonly size: number;
}

/** The facts about the user's repository that a task needs. */
export interface RepositoryFacts {
  readonly root: string;
  readonly commonDir: string;
}

/** The texts of a commit in addition to its files. */
export interface CommitText {
  readonly commit: string;
  readonly kind: 'message' | 'note' | 'tag';
  /** The name, for a tag. */
  readonly name: string;
  readonly text: string;
}

/** A commit to build: deterministic, so that building it again gives the same id. */
export interface CommitPlan {
  readonly parents: readonly string[];
  readonly message: string;
  /** ISO time, taken from the journal. */
  readonly at: string;
  /** `Name <email>`. */
  readonly author: string;
  /** Default: the author. */
  readonly committer?: string;
  /** Signed as the user's own git signs; each signature may give another id. */
  readonly sign?: boolean;
}

/** The signature settings of the user's own git. */
export interface Signing {
  /** Commits are signed (`commit.gpgSign`). */
  readonly signs: boolean;
  /**
   * They should be signed, but only the repository's own configuration names the program (this key), and it is never
   * run.
   */
  readonly ignoredProgram?: string;
  /** Only signed commits are merged (`merge.verifySignatures`). */
  readonly verifies: boolean;
  /** A key of unknown trust is enough (`gpg.minTrustLevel` is set). */
  readonly trusts: boolean;
  readonly format: string;
  /** user.name and user.email as `Name <email>`; undefined where one is missing. */
  readonly user: string | undefined;
}

/** The limits of a comparison. */
export interface ComparisonBounds {
  /** A larger file (in bytes) is binary in the patch, without its content. */
  readonly largest: number;
  /** Limit of bytes of contents; a patch several times as long is left out. */
  readonly most: number;
  /** Further files to read on either side, so that git is not asked again. */
  readonly also: (path: string) => boolean;
}

/** Two trees, compared. */
export interface TreeComparison {
  /** The difference; undefined where it exceeds the limit. */
  readonly patch: string | undefined;
  readonly before: readonly TreeFile[];
  readonly after: readonly TreeFile[];
  /** The new contents of differing files, within the limits and with names in UTF-8. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** The state of the user's repository around a target branch that may be in the way of a merge. */
export interface TargetState {
  /** Where the branch is checked out; undefined = nowhere. */
  readonly folder: string | undefined;
  /** An operation there that a merge would spoil, in a sentence. */
  readonly busy: string | undefined;
  /** Files of that checkout with uncommitted edits, untracked ones included. */
  readonly edited: readonly string[];
  /** Its upstream, and how many commits they are apart as of the last fetch. */
  readonly upstream: { readonly name: string; readonly ahead: number; readonly behind: number } | undefined;
  /** Hooks that git runs at a commit by hand, and never at one of andon's; without andon's own hook. */
  readonly hooks: readonly string[];
}

/** git for the line: a vault to build in, the user's repository to hand results to. */
export interface Repository {
  readonly facts: RepositoryFacts;
  /** The branch to merge into and its commit; refuses in one sentence. */
  target(named: string | undefined): Promise<Outcome<{ readonly ref: string; readonly commit: string }, string>>;
  /** The commit of a full ref name; undefined when it does not exist. */
  resolve(ref: string): Promise<string | undefined>;
  /** The state around a target branch (a full ref name). */
  targetState(ref: string, paths?: readonly string[]): Promise<TargetState>;
  /** Full name of the checked out branch; undefined when HEAD is detached. */
  checkedOut(): Promise<string | undefined>;
  /** The folder in which a branch is checked out or rebased; undefined without one. */
  checkedOutIn(ref: string): Promise<string | undefined>;
  /** Refs by prefix; with `isWithinAny` only those whose commits that branch contains. */
  refsUnder(prefix: string, within?: string): Promise<readonly { readonly ref: string; readonly commit: string }[]>;
  files(commit: string): Promise<readonly TreeFile[]>;
  /** Whether git knows this path in the user's checkout, committed or only added. */
  isTracked(path: string): Promise<boolean>;
  /** The filtered ones of these paths by the commit's .gitattributes, with their filters. */
  filtered(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  read(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Writes a commit on top of the plan's first parent, straight into the vault. */
  build(changes: readonly FileWrite[], plan: CommitPlan): Promise<{ readonly commit: string; readonly tree: string }>;
  /** The files that differ between two commits, counted by git. */
  diff(from: string, to: string): Promise<readonly ChangedFile[]>;
  patch(from: string, to: string): Promise<string>;
  /** The first `most` bytes of the patch of these paths, and whether there is more. */
  patchOf(
    from: string,
    to: string,
    paths: readonly string[],
    most: number,
  ): Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** Both sides of two commits or trees, the patch, and the new contents. */
  compare(from: string, to: string, bounds: ComparisonBounds): Promise<TreeComparison>;
  /**
   * The patches of the commits in `to` and not in `without`, oldest first; undefined where they exceed `most` bytes.
   */
  patches(to: string, without: readonly string[], most: number): Promise<string | undefined>;
  /** Messages of the same commits, notes on them and tags of them; undefined where they exceed `most` bytes. */
  commitTexts(to: string, without: readonly string[], most: number): Promise<readonly CommitText[] | undefined>;
  /** Blobs by id, without those of more than `largest` bytes. */
  blobs(oids: readonly string[], largest: number): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The newest commits of a branch as a small graph for people. */
  log(ref: string): Promise<string>;
  /** Lines of all tracked text files of a commit. */
  countLines(commit: string): Promise<number>;
  /** A three-way merge in the object database; the tree, or the paths that conflict. */
  mergeTrees(target: string, task: string): Promise<Outcome<string, readonly string[]>>;
  /** Applies the change from `before` to `after` to `onto`; the tree, or the paths that conflict. */
  replay(move: {
    readonly before: string;
    readonly after: string;
    readonly onto: string;
  }): Promise<Outcome<string, readonly string[]>>;
  /** The tree of a commit. */
  treeOf(commit: string): Promise<string>;
  /** Whether this commit and its history, without that of `target`, are complete. */
  isWhole(commit: string, target: string): Promise<boolean>;
  /** The tree of `target` without the changes of the merge commit `merge`; or the paths that conflict. */
  revert(target: string, merge: string): Promise<Outcome<string, readonly string[]>>;
  /** The signature settings of the user's git; `ref` is the target branch. */
  signing(ref: string): Promise<Signing>;
  /** Signs a test commit of this tree; returns in one sentence why merges could not be signed. */
  trySigning(tree: string, signing: Signing, committer: string): Promise<string | undefined>;
  /** The authors of commits in `to` and not in `without`, oldest first, each once, as `Name <email>`. */
  authors(to: string, without: string): Promise<readonly string[]>;
  /** A commit of an existing tree. Throws a Problem where it cannot be signed. */
  commitTree(tree: string, plan: CommitPlan): Promise<string>;
  isAncestor(commit: string, of: string): Promise<boolean>;
  /** Commits of a history, newest first, whose message has a line for each pattern. */
  commitsLike(asked: {
    readonly within: string;
    readonly without?: string | undefined;
    readonly most?: number;
    readonly lines: readonly string[];
  }): Promise<readonly { readonly commit: string; readonly message: string }[]>;
  /** The earlier commits of a moved branch, as far as git remembers. */
  leftBehind(ref: string): Promise<readonly string[]>;
  /**
   * Repairs what a git of andon's left when it died or ran out of space: its locks, and files of a half-done
   * fast-forward. Returns what prevents it. Without `patient` it waits for nothing.
   */
  repair(manner: { readonly patient: boolean }): Promise<string | undefined>;
  /** Hands commits to the user's repository and moves refs there, each only from its expected value. */
  publish(
    refs: readonly { readonly ref: string; readonly old: string | undefined; readonly to: string }[],
  ): Promise<Outcome<void, string>>;
  /** Recreates deleted refs; the user's repository gets their commits again, since it may have lost them. */
  restore(refs: readonly { readonly ref: string; readonly to: string }[]): Promise<Outcome<void, string>>;
  /** Removes a branch if it is still at the expected commit. */
  removeRef(ref: string, old: string): Promise<void>;
  /**
   * Moves a branch forward, in its checkout or by its ref alone. `wide`: nothing at all could land there now, whatever
   * the change.
   */
  land(
    target: string,
    old: string,
    to: string,
  ): Promise<Outcome<void, { readonly reason: string; readonly wide?: true }>>;
  /** Makes `folder` hold exactly this commit's files (or only `paths`); cached between calls. */
  checkOut(commit: string, folder: string, paths?: readonly string[]): Promise<void>;
  /** The same in a new folder, for a tree that others wrote in: its old content is discarded. */
  checkOutAnew(commit: string, folder: string): Promise<void>;
  /** The same for an agent's tree, without the files of `hide`; `readEdits` returns its changes. */
  layOut(commit: string, folder: string, hide: readonly string[]): Promise<void>;
  /** The difference of a laid out tree to its commit, without hidden and ignored files. */
  editedIn(folder: string, hide: readonly string[]): Promise<readonly EditedFile[]>;
}
