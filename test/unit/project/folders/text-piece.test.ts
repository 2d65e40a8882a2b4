import { expect, it } from 'vitest';
import { trimToWholeCharacters } from '../../../../src/project/folders/work-folders.ts';
import * as fc from '../../../support/properties.ts';

/** A text as it is read, piece by piece of at most so many bytes. */
function pieces(whole: Uint8Array, most: number): readonly string[] {
  const texts: string[] = [];
  for (let from = 0; from < whole.length || texts.length === 0;) {
    const piece = trimToWholeCharacters({ bytes: whole.subarray(from, from + most), total: whole.length }, from);
    expect(piece.from).toBe(from);
    expect(piece.to - piece.from).toBeLessThanOrEqual(most);
    texts.push(piece.text);
    if (piece.to === from) break;
    from = piece.to;
  }
  return texts;
}

it('cuts a text into pieces of whole characters, which together are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 9 }), (text, most) => {
      const found = pieces(new TextEncoder().encode(text), most);
      expect(found.join('')).toBe(text);
    }),
  );
});

it('comes to the end of bytes that are no text, and says where it asked for more than there is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 4, max: 9 }), (bytes, most) => {
      const found = pieces(bytes, most);
      expect(found.length).toBeLessThanOrEqual(Math.ceil(bytes.length / (most - 3)) + 1);
    }),
  );
  expect(trimToWholeCharacters({ bytes: new Uint8Array(), total: 5 }, 99)).toEqual({
    text: '',
    from: 5,
    to: 5,
    total: 5,
  });
});
