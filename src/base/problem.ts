import { toSingleLine } from './plain-text.ts';

/** Every mistake of a user, by code. */
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

/** One line, or several that andon itself put below each other; no name in them can begin one. */
export type ProblemText = string | readonly string[];

/**
 * A problem that a human must fix. It has a sentence (what is wrong and where) and a remedy (what to type next); the
 * exit code is 2 for wrong input and 1 for the environment.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly remedy: string;
  readonly exitCode: 1 | 2;

  constructor(code: ProblemCode, sentence: ProblemText, remedy: string, exitCode: 1 | 2 = 2) {
    super([sentence].flat().map(toSingleLine).join('\n'));
    this.code = code;
    this.remedy = toSingleLine(remedy);
    this.exitCode = exitCode;
  }
}

/** A wrong request, in a sentence, and what to type instead; exit code 1 for a fault of the environment. */
export const createUsageError = (sentence: ProblemText, remedy: string, exitCode: 1 | 2 = 2): Problem =>
  new Problem('bad-argument', sentence, remedy, exitCode);
