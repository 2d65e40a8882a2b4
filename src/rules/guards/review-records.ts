/** What is known of a change without asking anybody: commands that ran, what git says, files that were opened. */
export interface ReviewRecords {
  readonly runs: readonly {
    readonly command: string;
    readonly isGreen: boolean;
    /** How many tests passed, and of how many, where its output tells. */
    readonly passed?: number;
    readonly all?: number;
    /** What it printed, as far as it was kept. */
    readonly output?: string;
    /** A file that was changed after it: what it showed is of something else. */
    readonly changedSince?: string;
  }[];
  /** Undefined where nobody knows the change. */
  readonly diff?: { readonly files: readonly string[]; readonly added: number; readonly deleted: number };
  readonly read: readonly string[];
  /** Commits and trees of this task; undefined where nobody knows them all. */
  readonly commits?: readonly string[];
  /** How many lines each file has that the review cites a line of, in the tree of the change; undefined where nobody looked. */
  readonly lines?: ReadonlyMap<string, number>;
  /** Sums that git was seen to print, where nobody asked it. */
  readonly shown?: readonly { readonly added: number; readonly deleted: number }[];
}
