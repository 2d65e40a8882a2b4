import { describe, expect, it } from 'vitest';
import { listNewLines } from '../../../src/base/list-new-lines.ts';
import { decodeFileText } from '../../../src/base/decode-file-text.ts';

const utf16 = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
/** Bytes as compressed pictures have them, the same each time. */
const noise = (length: number): Buffer => {
  let state = 7;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
};

describe('the text in the bytes of a file', () => {
  it.each([
    ['UTF-8', Buffer.from('let é = 1;\n')],
    ['UTF-16 with a mark', utf16('\ufefflet é = 1;\n')],
    ['UTF-16 of the other order', utf16('\ufefflet é = 1;\n', true)],
    ['UTF-16 without a mark', utf16('let é = 1;\n')],
    ['UTF-16 of the other order without a mark', utf16('let é = 1;\n', true)],
  ])('is read as %s', (_, bytes) => {
    expect(decodeFileText(bytes)).toEqual({ text: 'let é = 1;\n', isPieces: false });
  });

  it('is read past zero bytes, which stand for a space', () => {
    expect(decodeFileText(Buffer.from('const one = 1;\n// \0\nconst two = 2;\n'))).toEqual({
      text: 'const one = 1;\n//  \nconst two = 2;\n',
      isPieces: false,
    });
  });

  it('is what can be read in it where it is no text', () => {
    const bytes = Buffer.concat([noise(4000), Buffer.from('\0eval(input)\0'), noise(999), utf16('password'), noise(9)]);
    const { text, isPieces } = decodeFileText(bytes);
    expect(isPieces).toBe(true);
    expect(text).toContain('eval(input)');
    expect(text).toContain('password');
  });

  it('is what can be read in it also where zero bytes are put around it', () => {
    const { text } = decodeFileText(
      Buffer.concat([Buffer.alloc(100_000), Buffer.from('eval(input)'), Buffer.alloc(9)]),
    );
    expect(text).toBe('eval(input)');
  });
});

describe('new lines', () => {
  it('are those that were not there, each as often as it is new', () => {
    expect(listNewLines('a\nb\n', 'b\r\nc\na\na\n')).toEqual([
      { line: 2, text: 'c' },
      { line: 4, text: 'a' },
    ]);
    expect(listNewLines('', '')).toEqual([]);
  });
});
