import { isWord } from './nesting.ts';
import type { Language } from './syntax.ts';
import type { Token } from './tokens.ts';

/** A file taken apart. */
export interface Code {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly pairs: ReadonlyMap<number, number>;
  /** For every closing bracket its opening one. */
  readonly opens: ReadonlyMap<number, number>;
  /** Where a name is first declared as a variable. */
  readonly declared: ReadonlyMap<string, number>;
}

/** What stands at a place: an assertion, one that cannot fail, or none. */
export type Assertion = 'asserts' | 'cannot fail' | undefined;

const DEFINES =
  /^(?:function|def|func|fn|fun|class|void|bool|int|string|static|public|private|async|new|import|from|sub)$/;

/** Whether what stands at a place is being defined, not used. */
export const isDefinition = (tokens: readonly Token[], at: number): boolean => isWord(tokens[at - 1], DEFINES);

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
