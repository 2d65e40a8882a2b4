import { describe, expect, it } from 'vitest';
import { readPatchHistory } from '../../../../src/rules/text/patch-history.ts';

const [ONE, TWO, THREE] = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40)];
const log = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;

describe('what commits brought and others took away', () => {
  it('is known by its commit, its file and its lines, and by who took it away last', () => {
    const { lines, takenBy } = readPatchHistory(
      log(
        `commit ${ONE}`,
        '',
        'diff --git a/a.txt b/a.txt',
        'new file mode 100644',
        `index ${'0'.repeat(40)}..${'a'.repeat(40)}`,
        '--- /dev/null',
        '+++ b/a.txt',
        '@@ -0,0 +1,3 @@',
        '+kept',
        '++++ odd',
        '+gone',
        '@@ -9,0 +13 @@ function x() {',
        '+kept',
        `commit ${TWO}`,
        '',
        'diff --git a/a.txt b/b c.txt',
        'similarity index 90%',
        'rename from a.txt',
        'rename to b c.txt',
        '--- a/a.txt',
        '+++ b/b c.txt\t',
        '@@ -3 +2,0 @@',
        '-gone',
        '@@ -5,0 +5 @@',
        '+new\r',
      ),
      (line) => line === 'kept',
    );
    expect(lines).toEqual([
      {
        commit: ONE,
        path: 'a.txt',
        added: [
          { line: 1, text: 'kept' },
          { line: 2, text: '+++ odd' },
          { line: 3, text: 'gone' },
        ],
      },
      { commit: TWO, path: 'b c.txt', added: [{ line: 5, text: 'new' }] },
    ]);
    expect([...takenBy]).toEqual([['gone', TWO]]);
  });

  it('of a merge is only what none of its parents has', () => {
    const { lines } = readPatchHistory(
      log(
        `commit ${THREE}`,
        '',
        'diff --cc a.txt',
        `index ${'a'.repeat(40)},${'b'.repeat(40)}..${'c'.repeat(40)}`,
        '--- a/a.txt',
        '+++ b/a.txt',
        '@@@ -1,1 -1,1 +1,4 @@@',
        '- theirs',
        ' -ours',
        '+ of one',
        '++own',
        ' +of the other',
        '++own too',
      ),
      () => false,
    );
    expect(lines.map(({ added }) => added)).toEqual([[{ line: 2, text: 'own' }], [{ line: 4, text: 'own too' }]]);
  });

  it('has files without text by their ids, also under names that git quotes', () => {
    const { bytes } = readPatchHistory(
      log(
        `commit ${ONE}`,
        '',
        'diff --git a/one.bin b/one.bin',
        `index ${'0'.repeat(40)}..${'a'.repeat(40)}`,
        'Binary files /dev/null and b/one.bin differ',
        'diff --git "a/\\"q\\".bin" "b/\\"q\\".bin"',
        `index ${'0'.repeat(40)}..${'b'.repeat(40)}`,
        'Binary files /dev/null and "b/\\"q\\".bin" differ',
        'diff --git a/gone.bin b/gone.bin',
        `index ${'c'.repeat(40)}..${'0'.repeat(40)}`,
        'Binary files a/gone.bin and /dev/null differ',
      ),
      () => false,
    );
    expect(bytes).toEqual([
      { commit: ONE, path: 'one.bin', oid: 'a'.repeat(40) },
      { commit: ONE, path: '"q".bin', oid: 'b'.repeat(40) },
    ]);
  });
});
