/** What the parts of a line are; the rest is plain. */
export type TokenKind = 'comment' | 'keyword' | 'name' | 'number' | 'string' | 'type';
/** Its first character in the line, its length, its kind. */
export type Token = readonly [start: number, length: number, kind: TokenKind];
