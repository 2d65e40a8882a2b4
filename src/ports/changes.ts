import type { Outcome } from '../base/outcome.ts';

/** Two trees of the user's repository, by ids that `Repository` can read, and a description of their difference. */
export interface Span {
  readonly from: string;
  readonly to: string;
  readonly title: string;
  /** The branch that it will go into, by its short name, and the last commit of that one. */
  readonly base?: { readonly name: string; readonly commit: string };
}

/** Why there is nothing to compare, and what to type. */
export interface NoSpan {
  readonly sentence: string;
  readonly remedy: string;
}

/** Where the folder of git's hooks is, and whose setting that is. */
export interface HooksFolder {
  readonly folder: string;
  /** `core.hooksPath` was set for this user or this machine, not for this repository. */
  readonly isShared: boolean;
}

/** What is about to go into the user's repository: a branch, or what is staged. Nothing of it is written to. */
export interface Changes {
  /** From where the branch that is checked out left `base`, to its last commit. */
  sinceBranch(base: string): Promise<Outcome<Span, NoSpan>>;
  /** From the last commit to what is staged; `index` is the file git names to its hooks. */
  staged(index: string | undefined): Promise<Outcome<Span, NoSpan>>;
  hooksFolder(): Promise<HooksFolder>;
}
