import { forOneLine } from './plain-text.ts';

/** Every mistake a user can make or meet, by code. */
export type ProblemCode =
  | 'not-a-repository'
  | 'bad-configuration'
  | 'busy'
  | 'no-task'
  | 'not-halted'
  | 'outdated-choice'
  | 'bad-argument'
  | 'cage-missing'
  | 'no-answer'
  | 'file-exists'
  | 'not-merged'
  | 'conflict'
  | 'journal-damaged'
  | 'journal-gone'
  | 'ledger-damaged';

/** One line, or several that andon itself has put below each other; no name in them can begin one. */
export type Said = string | readonly string[];

/**
 * Something only a human can put right. It carries a sentence (what is wrong and where) and a remedy (what to type
 * next); the exit code is 2 when the input was wrong and 1 when the world was.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly remedy: string;
  readonly exitCode: 1 | 2;

  constructor(code: ProblemCode, sentence: Said, remedy: string, exitCode: 1 | 2 = 2) {
    super([sentence].flat().map(forOneLine).join('\n'));
    this.code = code;
    this.remedy = forOneLine(remedy);
    this.exitCode = exitCode;
  }
}

/** What was asked for wrongly, in a sentence, and what to type instead; exit code 1 where the world was wrong, not the input. */
export const mistake = (sentence: Said, remedy: string, exitCode: 1 | 2 = 2): Problem =>
  new Problem('bad-argument', sentence, remedy, exitCode);
