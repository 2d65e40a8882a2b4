import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { Words } from '../../../src/views/parts.tsx';

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
