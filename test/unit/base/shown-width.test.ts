import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { measureWidth, wrapText } from '../../../src/base/text-width.ts';

const WIDE = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('漢字漢字', '﫚', '𐀀', ' ', 'long'.repeat(9))),
);

describe('a text in lines', () => {
  it('is broken between words, and within one only where it must be', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapText('one twothreefour', 5)).toEqual(['one', 'twoth', 'reefo', 'ur']);
    expect(wrapText('漢字漢字', 5)).toEqual(['漢字', '漢字']);
    expect(wrapText('', 5)).toEqual(['']);
  });

  it('loses nothing, and no line is too wide', () => {
    fc.assert(
      fc.property(WIDE, fc.integer({ min: 4, max: 90 }), (parts, width) => {
        const text = parts.join('');
        const lines = wrapText(text, width);
        expect(lines.filter((line) => measureWidth(line) > width && line.length > 2)).toEqual([]);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});
