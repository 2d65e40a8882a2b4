import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { readDiff } from '../../../../src/base/read-diff.ts';
import type { FoundAt } from '../../../../src/line/reports/task-report/list-found-in.ts';
import { DiffRows } from '../../../../src/app/views/diff-rows.tsx';
import * as fc from '../../../support/properties.ts';

const render = (removed: readonly string[], added: readonly string[]): readonly string[] => {
  const lines = [...removed.map((text) => `-${text}`), ...added.map((text) => `+${text}`)];
  const head = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,${removed.length} +1,${added.length} @@`;
  const rows = readDiff([head, ...lines].join('\n')).flatMap((file) => file.rows);
  return textsOf(renderToString(h(DiffRows, { path: 'a', rows: rows.slice(-lines.length), found: [] })));
};

const textsOf = (page: string): readonly string[] =>
  [
    ...page.matchAll(/<span(?: class="[adeh]"| data-line="\d+")*>((?:<span class="t-\w+">.*?<\/span>|.)*?)<\/span>/gs),
  ].map(([, text = '']) => text.replaceAll(/<\/?i>/g, ''));

describe('the rows of a diff', () => {
  it('mark the words in which a removed row and the added row in its place differ', () => {
    expect(render(['const a = old(1);', 'x'], ['const a = fresh(1);', 'x y'])).toEqual([
      '-const a = <mark>old</mark>(1);',
      '-x',
      '+const a = <mark>fresh</mark>(1);',
      '+x<mark> y</mark>',
    ]);
  });

  it('mark each part that differs, joined over blanks', () => {
    expect(render(['send(old, to, 1);'], ['send(fresh one, to, 2);', 'x'])).toEqual([
      '-send(<mark>old</mark>, to, <mark>1</mark>);',
      '+send(<mark>fresh one</mark>, to, <mark>2</mark>);',
      '+x',
    ]);
  });

  it('mark nothing where rows have little in common, or differ in very many words', () => {
    expect(render(['one'], ['two'])).toEqual(['-one', '+two']);
    expect(render(['a b one'], ['c d one', 'e'])).toEqual(['-a b one', '+c d one', '+e']);
    const [some, other] = [1, 2].map((add) => Array.from({ length: 100 }, (_, at) => `${at}.${at + add}`).join());
    expect(render([some ?? ''], [other ?? '']).join('')).not.toContain('<mark>');
  });

  it('stand side by side, the old line left of the new one in its place, with both numbers', () => {
    const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -7,3 +9,4 @@\n top\n-old\n+new\n+more\n end\n';
    const rows = readDiff(diff).flatMap((file) => file.rows.slice(3));
    const found = [{ who: 'judge', severity: 'high', description: 'wrong', line: 11 }] as unknown as FoundAt[];
    const page = renderToString(h(DiffRows, { path: 'a', rows, found, isSplit: true }));
    expect(page.replaceAll(/<pre.*?>|<\/pre>|<\/?i>/g, '')).toBe(
      [
        '<span class="h hunk">@@ -7,3 +9,4 @@</span>',
        '<span data-line="7"> top</span><span data-line="9"> top</span>',
        '<span class="d" data-line="8">-old</span><span class="a" data-line="10">+new</span>',
        '<span class="e"></span><span class="a" data-line="11">+more</span>',
        '<span class="f">judge, high: wrong</span>',
        '<span data-line="9"> end</span><span data-line="12"> end</span>',
      ].join(''),
    );
  });

  it('stand beside their own version where others come between', () => {
    const [old, fresh] = ['export function end(id) {', 'export function endSession(id) {'];
    expect(render([old], ['const a = 1;', '', fresh])).toEqual([
      '-export function <mark>end</mark>(id) {',
      '+const a = 1;',
      '+',
      '+export function <mark>endSession</mark>(id) {',
    ]);
  });

  it('are coloured by the tokens of their own file, within and beside the marks', () => {
    const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -3 +3 @@\n-return 'a b';\n+return 'a c';\n";
    const rows = readDiff(diff).flatMap((file) => file.rows.slice(4));
    const tokens = [
      [0, 6, 'keyword'],
      [7, 5, 'string'],
    ] as const;
    const page = (colours: NonNullable<Parameters<typeof DiffRows>[0]['colours']>) =>
      textsOf(renderToString(h(DiffRows, { path: 'a', rows, found: [], colours })));
    const [keyword, start] = ['<span class="t-keyword">return</span>', `<span class="t-string">'a </span>`];
    const [marked, end] = [(word: string) => `<mark><span class="t-string">${word}</span></mark>`, "'</span>;"];
    expect(page({ old: { 3: tokens }, fresh: {} })).toEqual([
      `-${keyword} ${start}${marked('b')}<span class="t-string">${end}`,
      "+return 'a <mark>c</mark>';",
    ]);
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
