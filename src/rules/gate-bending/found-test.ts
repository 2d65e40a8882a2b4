import type { Code } from './code.ts';

/** A test where it was found: its name with the suites around it, and the range of tokens that it runs. */
export interface FoundTest {
  readonly name: string;
  /** Where what belongs to it begins: its annotations and the rows in them. */
  readonly head?: number;
  readonly from: number;
  readonly to: number;
  /** How often it runs: the rows of its table; undefined where the code does not say. */
  readonly rows: number | undefined;
  readonly isSkipped: boolean;
  /** Assertions that its declaration makes (`#[should_panic]`). */
  readonly more: number;
}

/** What a file holds for a test runner. */
export interface Found {
  readonly tests: readonly FoundTest[];
  /** Tests or suites that make the runner leave out all others. */
  readonly only: number;
}

/** A way to find tests. */
export type FindTests = (code: Code) => Found;
