import type { Outcome } from '../base/outcome.ts';

/** Two trees of the user's repository, by ids that `Repository` can read, and a description of their difference. */
export interface ChangeRange {
  readonly from: string;
  readonly to: string;
  readonly title: string;
  /** The target branch, by its short name, and its last commit. */
  readonly base?: { readonly name: string; readonly commit: string };
}

/** Why there is nothing to compare, and what to type. */
export interface NoSpan {
  readonly sentence: string;
  readonly remedy: string;
}

/** The folder of git's hooks, and the source of that setting. */
export interface HooksFolder {
  readonly folder: string;
  /** `core.hooksPath` was set for this user or this machine, not for this repository. */
  readonly isShared: boolean;
}

/** Pending changes to the user's repository: a branch, or the index. Read-only. */
export interface Changes {
  /** From the point where the current branch left `base`, to its last commit. */
  sinceBranch(base: string): Promise<Outcome<ChangeRange, NoSpan>>;
  /** From the last commit to the index; `index` is the file git names to its hooks. */
  staged(index: string | undefined): Promise<Outcome<ChangeRange, NoSpan>>;
  hooksFolder(): Promise<HooksFolder>;
}
