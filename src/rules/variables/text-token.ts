/** A piece of a text: a number in digits with its separators, a run of letters, or any other single sign. */
export interface TextToken {
  readonly kind: 'number' | 'word' | 'sign';
  readonly text: string;
  /** A word in lower case. */
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

/** Cuts a text into its pieces, blanks left out; its time grows with the text's length and with nothing else. */
export function textTokens(text: string): readonly TextToken[] {
  const tokens: TextToken[] = [];
  for (const { 0: found, index } of text.matchAll(TOKEN))
    tokens.push({
      kind: /^\.?\d/.test(found) ? 'number' : /^\p{L}/u.test(found) ? 'word' : 'sign',
      text: found,
      lower: found.toLowerCase(),
      start: index,
      end: index + found.length,
    });
  return tokens;
}

/** Blanks join digits only as thousands: `1 250,00`. */
const TOKEN = /\d+(?:[.,'’]\d+|[ \u00a0\u202f\u2009]\d{3}(?!\d))*|(?<![\d\p{L}])\.\d+|\p{L}[\p{L}\p{M}]*|\S/gu;

/** Whether two neighbours stand together: nothing, or one blank, is between them. */
export const areNear = (one: TextToken | undefined, other: TextToken | undefined): boolean =>
  one !== undefined && other !== undefined && other.start - one.end <= 1;

/** Whether nothing at all is between two neighbours. */
export const areJoined = (one: TextToken | undefined, other: TextToken | undefined): boolean =>
  one !== undefined && other !== undefined && other.start === one.end;
