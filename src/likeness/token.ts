/** One token in any programming language: a word, a literal, a comment or a sign. */
export interface SourceToken {
  readonly kind: 'word' | 'literal' | 'comment' | 'sign' | 'break';
  /** Literals with one kind of quote; for a line break, the indent of the next line. */
  readonly text: string;
}
