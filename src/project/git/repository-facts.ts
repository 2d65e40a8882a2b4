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

/** The state of the user's repository around a target branch that may be in the way of a merge. */
export interface TargetState {
  /** Where the branch is checked out; undefined = nowhere. */
  readonly folder: string | undefined;
  /** An operation there that a merge would spoil, in a sentence. */
  readonly busy: string | undefined;
  /** Files of that checkout with uncommitted edits, untracked ones included. */
  readonly edited: readonly string[];
  /** Its upstream, and how many commits the branch is behind it as of the last fetch. */
  readonly upstream: { readonly name: string; readonly behind: number } | undefined;
  /** Hooks that git runs at a commit by hand, and never at one of andon's; without andon's own hook. */
  readonly hooks: readonly string[];
}
