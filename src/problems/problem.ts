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
  | 'journal-damaged';

/**
 * Something only a human can put right. It carries a sentence (what is wrong and where) and a remedy (what to type
 * next); the exit code is 2 when the input was wrong and 1 when the world was.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly remedy: string;
  readonly exitCode: 1 | 2;

  constructor(code: ProblemCode, sentence: string, remedy: string, exitCode: 1 | 2 = 2) {
    super(sentence);
    this.code = code;
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}
