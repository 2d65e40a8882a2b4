/** What the parts of a line are; the rest is plain. */
export type SyntaxKind = 'comment' | 'keyword' | 'name' | 'number' | 'string' | 'type';
/** Its first character in the line, its length, its kind. */
export type SyntaxToken = readonly [start: number, length: number, kind: SyntaxKind];
