import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { shownWidth, wrapped } from '../../../src/base/shown-width.ts';

const WIDE = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('漢字漢字', '﫚', '𐀀', ' ', 'long'.repeat(9))),
);

describe('a text in lines', () => {
  it('is broken between words, and within one only where it must be', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('one twothreefour', 5)).toEqual(['one', 'twoth', 'reefo', 'ur']);
    expect(wrapped('漢字漢字', 5)).toEqual(['漢字', '漢字']);
    expect(wrapped('', 5)).toEqual(['']);
  });

  it('loses nothing, and no line is too wide', () => {
    fc.assert(
      fc.property(WIDE, fc.integer({ min: 4, max: 90 }), (parts, width) => {
        const text = parts.join('');
        const lines = wrapped(text, width);
        expect(lines.filter((line) => shownWidth(line) > width && line.length > 2)).toEqual([]);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});
