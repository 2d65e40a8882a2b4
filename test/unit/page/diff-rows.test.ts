import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowsOf } from '../../../src/page/diff-rows.ts';

const HEAD = 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n';

it('numbers the lines of a patch as they stand in the new file', () => {
  const rows = rowsOf(
    `${HEAD}@@ -3,3 +7,4 @@ f()\n same\n-gone\n+one\n+two\n\\ No newline at end of file\n@@ -20 +24 @@\n+far\n`,
  );
  expect(rows.map(({ kind, line }) => [kind, line])).toEqual([
    ['h', null],
    ['', 7],
    ['d', null],
    ['a', 8],
    ['a', 9],
    ['', null],
    ['h', null],
    ['a', 24],
  ]);
});

it('takes no line of a file for the head of a hunk, and shows all of a patch without hunks', () => {
  expect(rowsOf(`${HEAD}@@ -1 +1,2 @@\n+@@ -9 +99 @@\n+next\n`).map(({ line }) => line)).toEqual([null, 1, 2]);
  const binary = 'diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n';
  expect(rowsOf(binary).map(({ text }) => text)).toEqual(binary.trimEnd().split('\n'));
});

it('ends on whatever it is given, and numbers lines upwards within a hunk', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('@@ -1 +1 @@', '+a', '-b', ' c', '', '\\', 'diff --git a/x b/x')), (lines) => {
      let last = 0;
      for (const { kind, line } of rowsOf(lines.join('\n'))) {
        if (kind === 'h') last = 0;
        if (line === null) continue;
        expect(line).toBe(last + 1);
        last = line;
      }
    }),
  );
});
