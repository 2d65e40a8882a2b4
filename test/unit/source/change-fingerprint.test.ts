import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { toNormalForm, takeFingerprint } from '../../../src/source/change-fingerprint.ts';
import { anyCharacter } from '../../support/any-character.ts';

const printOf = (text: string) => takeFingerprint(new Map([['src/a.ts', text]]), text.split('\n'));

describe('the print of a change', () => {
  it('stays the same when a formatter goes over it', () => {
    const before = 'export const f = (a, b) => {\n  return "x" + a;\n};\n';
    const after = "export const f = (\n    a,\n    b,\n) => { return 'x' + a }\n";
    expect(printOf(after).files).toEqual(printOf(before).files);
  });

  it('changes with a word, a number or an operator', () => {
    const prints = ['a + b', 'a - b', 'a + c', 'a + 1'].map((text) => printOf(text).files['src/a.ts']);
    expect(new Set(prints).size).toBe(4);
  });

  it('knows a deleted file from an empty one', () => {
    const gone = takeFingerprint(new Map([['a', undefined]]), []);
    expect(gone.files).not.toEqual(takeFingerprint(new Map([['a', '']]), []).files);
  });

  it('remembers lines that say something, not braces and blanks', () => {
    const { lines } = takeFingerprint(new Map(), ['}', '', '  return;', 'const total = price * count;']);
    expect(lines).toHaveLength(1);
  });

  it('keeps the same sample of a huge change, in whatever order its lines come', () => {
    const many = Array.from({ length: 9000 }, (_, at) => `const value${at} = compute(${at});`);
    const print = takeFingerprint(new Map(), many);
    expect(print.lines).toHaveLength(2000);
    expect(takeFingerprint(new Map(), many.toReversed())).toEqual(print);
  });

  it('never depends on spacing, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 8 }), { maxLength: 12 }), (words) => {
        expect(toNormalForm(words.join('  \n\t'))).toBe(toNormalForm(words.join(' ')));
      }),
    );
  });
});
