import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitCodeSpans } from '../../../src/views/code-spans.ts';

it('shows what stands in backticks as code, and the rest as words', () => {
  expect(splitCodeSpans('Does it exceed `max_files` or `max_diff_size`?')).toEqual([
    { text: 'Does it exceed ', isCode: false },
    { text: 'max_files', isCode: true },
    { text: ' or ', isCode: false },
    { text: 'max_diff_size', isCode: true },
    { text: '?', isCode: false },
  ]);
});

it.each(['no code at all', 'a lone ` backtick', 'two `` of them', 'over `two\nlines`'])(
  'leaves %j as it is',
  (text) => {
    expect(splitCodeSpans(text)).toEqual([{ text, isCode: false }]);
  },
);

it('loses no character of whatever it is given, and adds none', () => {
  const texts = fc.string({ unit: fc.constantFrom('`', 'a', ' ', '\n', '<') });
  fc.assert(
    fc.property(texts, (text) => {
      const parts = splitCodeSpans(text);
      expect(parts.map((one) => (one.isCode ? `\`${one.text}\`` : one.text)).join('')).toBe(text);
    }),
  );
});
