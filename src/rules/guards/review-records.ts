/** The facts that are known of a change without asking an agent: runs, the diff, opened files. */
export interface ReviewRecords {
  readonly runs: readonly {
    readonly command: string;
    readonly isGreen: boolean;
    /** Passed and all tests, where known. */
    readonly passed?: number;
    readonly all?: number;
    /** Its output, as far as it was kept. */
    readonly output?: string;
    /** A file that was changed after the run. */
    readonly changedSince?: string;
  }[];
  /** Undefined where the change is unknown. */
  readonly diff?: { readonly files: readonly string[]; readonly added: number; readonly deleted: number };
  readonly read: readonly string[];
  /** Commits and trees of this task; undefined where they are not all known. */
  readonly commits?: readonly string[];
  /** The line count of each cited file in the tree of the change; undefined where it was not looked up. */
  readonly lines?: ReadonlyMap<string, number>;
  /** Sums that git printed in a session. */
  readonly shown?: readonly { readonly added: number; readonly deleted: number }[];
}
