import { describe, expect, it } from 'vitest';
import { findDiffPlace } from '../../../../src/surfaces/top/handle-key.ts';

const LINES = [
  'The change that both paths are about',
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -10,3 +10,3 @@',
  ' kept',
  '-gone',
  '+come',
  ' last',
  'diff --git a/b.md b/b.md',
  '--- a/b.md',
  '+++ b/b.md',
  '@@ -1 +1 @@',
  '-x',
  '+y',
];

describe('findDiffPlace', () => {
  it('finds the first line of the change at or below the top of the screen', () => {
    expect([0, 5, 6, 8, 9, 14, 15].map((top) => findDiffPlace(LINES, top))).toEqual([
      'src/a.ts:10',
      'src/a.ts:10',
      'src/a.ts:11',
      'src/a.ts:12',
      'b.md:1',
      'b.md:1',
      undefined,
    ]);
  });

  it('finds none in a text without a patch', () => {
    expect(findDiffPlace(['one', 'two'], 0)).toBeUndefined();
  });
});
