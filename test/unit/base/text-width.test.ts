import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { fitToWidth, measureWidth, wrapText } from '../../../src/base/text-width.ts';

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

describe('a text cut to a width', () => {
  it('is never wider, also where symbols stand among letters', () => {
    expect(fitToWidth('andon  ● live · C-3 writing · 1 repository', 40)).toHaveLength(40);
    expect(fitToWidth('short', 40)).toBe('short');
    const texts = fc.array(fc.constantFrom('●', ' · ', 'word', '漢', '😀', 'é', '…'), { maxLength: 30 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (parts, width) => {
        const fitted = fitToWidth(parts.join(''), width);
        expect(measureWidth(fitted)).toBeLessThanOrEqual(width);
        expect(fitted.isWellFormed()).toBe(true);
      }),
    );
  });
});
