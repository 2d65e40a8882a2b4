import { structuredPatch } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedLineNumbers, readDiff } from '../../../src/base/read-diff.ts';

const HEAD = 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n';
const rowsOf = (diff: string) => readDiff(diff).flatMap(({ rows }) => rows);

describe('a diff', () => {
  it('numbers added and kept lines as in the new file, and removed ones as in the old file', () => {
    const diff = `${HEAD}@@ -3,2 +7,3 @@ f()\n same\n-gone\n+one\n+two\n\\ No newline at end of file\n@@ -20,0 +24 @@\n+far\n`;
    expect(rowsOf(diff).map(({ kind, line }) => [kind, line])).toEqual([
      ...['header', 'header', 'header', 'header', 'hunk'].map((kind) => [kind, undefined]),
      ['context', 7],
      ['removed', 4],
      ['added', 8],
      ['added', 9],
      ['note', undefined],
      ['hunk', undefined],
      ['added', 24],
    ]);
  });

  it('gives added lines file by file, and takes no line of a file for a header', () => {
    const diff = `${HEAD}@@ -1,2 +1,4 @@\n one\n-two\n+deux\n++++ b/other\n+@@ -9 +99 @@\ndiff --git a/b b/b\nnew file mode 100644\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+only\n`;
    expect([...addedLineNumbers(diff)].map(([path, lines]) => [path, [...lines]])).toEqual([
      ['x', [2, 3, 4]],
      ['b', [1]],
    ]);
    expect(addedLineNumbers('').size).toBe(0);
  });

  it('without git headers starts a file at each pair of names', () => {
    const diff = 'words\n--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n--- b\n+++ b\n@@ -1 +1 @@\n-x\n+y\n';
    expect(readDiff(diff).map(({ path, rows }) => [path, rows.length])).toEqual([
      ['a', 5],
      ['b', 5],
    ]);
  });

  it('says where a hunk is shorter than its head announces', () => {
    expect(readDiff(`${HEAD}@@ -1 +1,2 @@\n-a\n+b\n`).map(({ isCut }) => isCut)).toEqual([true]);
    expect(readDiff(`${HEAD}@@ -1 +1 @@\n-a\n+b\n`).map(({ isCut }) => isCut)).toEqual([false]);
  });

  it('gives back every row of any text behind the first header', () => {
    const row = fc.constantFrom('@@ -1 +1,2 @@', '@@@ -1 -1 +1 @@@', '+a', '-b', ' c', '', '\\', '--- a/x', '+++ b/x');
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const text = ['diff --git a/x b/x', ...rows, 'end'];
        expect(rowsOf(text.join('\n')).map(({ row: at }) => at)).toEqual(text.map((_, at) => at + 1));
      }),
    );
  });

  it('holds the lines that a diff library put into it', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '+ c', '- d', '++ e', '-- f', '@@ g', 'diff --git a b'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const text = (rows: readonly string[]): string => rows.map((one) => `${one}\n`).join('');
        const { hunks } = structuredPatch('x', 'x', text(before), text(after));
        const diff = hunks.map((hunk) => {
          const { oldStart, oldLines, newStart, newLines } = hunk;
          return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${hunk.lines.join('\n')}\n`;
        });
        const added = rowsOf(`${HEAD}${diff.join('')}`).filter(({ kind }) => kind === 'added');
        expect(added.map(({ text: line }) => line)).toEqual(
          hunks.flatMap((hunk) => hunk.lines.filter((one) => one.startsWith('+')).map((one) => one.slice(1))),
        );
        for (const { line, text: content } of added) expect(after[(line ?? 0) - 1]).toBe(content);
      }),
    );
  });
});
