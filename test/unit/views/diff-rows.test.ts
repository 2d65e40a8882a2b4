import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { readDiff } from '../../../src/base/read-diff.ts';
import { DiffRows } from '../../../src/views/diff-rows.tsx';
import * as fc from '../../support/properties.ts';

const render = (removed: readonly string[], added: readonly string[]): readonly string[] => {
  const lines = [...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`)];
  const head = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,${removed.length} +1,${added.length} @@`;
  const rows = readDiff([head, ...lines].join('\n')).flatMap((file) => file.rows);
  const page = renderToString(h(DiffRows, { path: 'a', rows: rows.slice(-lines.length), found: [] }));
  return [...page.matchAll(/<span[^>]*>(.*?)<\/span>/gs)].map(([, text = '']) => text);
};

describe('the rows of a diff', () => {
  it('mark the words in which a removed row and the added row in its place differ', () => {
    expect(render(['const a = old(1);', 'x'], ['const a = fresh(1);', 'x y'])).toEqual([
      '-const a = <mark>old</mark>(1);',
      '-x',
      '+const a = <mark>fresh</mark>(1);',
      '+x<mark> y</mark>',
    ]);
  });

  it('mark nothing where rows have nothing in common, or are not equally many', () => {
    expect(render(['one'], ['two'])).toEqual(['-one', '+two']);
    expect(render(['a one'], ['a two', 'three'])).toEqual(['-a one', '+a two', '+three']);
  });

  it('lose no text by their marks', () => {
    const words = fc.array(fc.constantFrom('a', 'bc', ' ', '(', '𐀀', 'é'), { maxLength: 8 }).map((all) => all.join(''));
    const rows = fc.array(words, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, rows, (removed, added) => {
        const shown = render(removed, added).map((text) => text.replaceAll(/<\/?mark>/g, ''));
        expect(shown).toEqual([...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`)]);
      }),
    );
  });

  it('are cut where they are very long, never within a character', () => {
    const [row = ''] = render(['𐀀'.repeat(400)], []);
    expect(row).toMatch(/^-(?:𐀀)+… \(200 more characters\)$/u);
  });
});
