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
