import * as fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { Words } from '../../../../src/app/views/parts.tsx';

it.each([
  [
    'Does it exceed `max_files` or `max_diff_size`?',
    'Does it exceed <code>max_files</code> or <code>max_diff_size</code>?',
  ],
  ['no code at all', 'no code at all'],
  ['a lone ` backtick', 'a lone ` backtick'],
  ['two `` of them', 'two `` of them'],
  ['over `two\nlines`', 'over `two\nlines`'],
])('shows text in backticks as code, and the rest as words: %j', (text, html) => {
  expect(renderToString(Words({ text }))).toBe(html);
});

it('loses no character of whatever it is given, and adds none', () => {
  const texts = fc.string({ unit: fc.constantFrom('`', 'a', ' ', '\n', '<') });
  fc.assert(
    fc.property(texts, (text) => {
      const html = renderToString(Words({ text }));
      expect(html.replaceAll(/<\/?code>/g, '`').replaceAll('&lt;', '<')).toBe(text);
    }),
  );
});
