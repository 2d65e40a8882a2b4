import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { plainTexts } from '../../../../src/surfaces/web/plain-texts.ts';
import { splitPatch } from '../../../../src/surfaces/web/patches.ts';

const file = (name: string, ...lines: readonly string[]): string =>
  [
    `diff --git a/${name} b/${name}`,
    'index 1..2 100644',
    `--- a/${name}`,
    `+++ b/${name}`,
    '@@ -1 +1 @@',
    ...lines,
    '',
  ].join('\n');

it('takes a patch apart into its files, and loses nothing of it', () => {
  const one = file('a b.ts', '-old', '+new', '+++ b/not-a-name', ' diff --git a/x b/x');
  const gone = 'diff --git a/c b/c\ndeleted file mode 100644\n--- a/c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
  const binary = 'diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n';
  const files = splitPatch(one + gone + binary);
  expect(files.map(({ name, added, deleted }) => [name, added, deleted])).toEqual([
    ['a b.ts', 2, 1],
    ['c', 0, 1],
    ['a/i.png b/i.png', 0, 0],
  ]);
  expect(files.map(({ text }) => text).join('')).toBe(one + gone + binary);
});

it('gives nothing for no patch, and ends on whatever it is given', () => {
  expect(splitPatch('')).toEqual([]);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('diff --git a/x b/x', '@@ -1 +1 @@', '+a', '-b', ' c', '', '+++ b/y', '\\')),
      (lines) => {
        const text = lines.join('\n');
        const all = splitPatch(text)
          .map((one) => one.text)
          .join('');
        expect(text.endsWith(all)).toBe(true);
      },
    ),
  );
});

it('shows what is hidden in every text of an answer, names of keys included', () => {
  const told = plainTexts({ a: ['\u202eevil', { 'k\u200b': 'x\u001b[2J' }], n: 1, z: null, t: true });
  expect(told).toEqual({ a: ['\\u{202e}evil', { 'k\\u{200b}': 'x\\u{1b}[2J' }], n: 1, z: null, t: true });
});
