/** One token of a text as every programming language has them: a word, a literal, a comment or a sign. */
export interface Token {
  readonly kind: 'word' | 'literal' | 'comment' | 'sign' | 'break';
  /** Literals with one kind of quote; of a line break the columns of space that the next line begins with. */
  readonly text: string;
}
