import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeLines,
  splitAnswerLines,
  decodeText,
} from '../../../../../src/line/stations/answer-formats/file-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A file after its whole text was given anew with plain ends, as models write it. */
function rewritten(file: string, content: string): string {
  const old = decodeText(bytes(file));
  if (old === undefined) throw new Error('no text');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encodeLines(splitAnswerLines(content, old), old));
}

describe('the line ends of a file that mixes them', () => {
  it('stay with every line that stays', () => {
    expect(rewritten('one\r\ntwo\nthree\r\nfour\n', 'one\ntwo\n3\nfour\n')).toBe('one\r\ntwo\n3\nfour\n');
  });

  it('of a new line are those of most lines', () => {
    expect(rewritten('a\r\nb\r\nc\n', 'a\nnew\nb\nc\n')).toBe('a\r\nnew\r\nb\r\nc\n');
    expect(rewritten('a\r\nb\nc\n', 'a\nnew\nb\nc\n')).toBe('a\r\nnew\nb\nc\n');
  });

  it('are left out behind the last line of a file that has none there', () => {
    expect(rewritten('a\r\nb\nc', 'a\nb\nc\n')).toBe('a\r\nb\nc');
    expect(rewritten('a\r\nb\nc', 'a\n')).toBe('a');
  });

  it('are the same bytes for all lines but the one that is changed, whatever the file', () => {
    const line = record({
      text: constantFrom('a', 'b', '', ' x', 'a\u2028b', 'a\fb'),
      end: constantFrom('\n', '\r\n'),
    });
    assert(
      property(
        array(line, { minLength: 1, maxLength: 12 }),
        integer(),
        constantFrom('', '\uFEFF'),
        (lines, at, mark) => {
          const changed = Math.abs(at) % lines.length;
          const file = mark + lines.map(({ text, end }) => text + end).join('');
          const content = lines.map(({ text }, index) => (index === changed ? 'changed' : text)).join('\n');
          const result = rewritten(file, `${content}\n`);
          const others = (text: string): readonly string[] => text.split('\n').filter((_, index) => index !== changed);
          expect(others(result.slice(mark.length))).toEqual(others(file.slice(mark.length)));
          expect(result.slice(mark.length).split('\n')[changed]?.replace('\r', '')).toBe('changed');
        },
      ),
    );
  });
});
