import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/base/sha256.ts';
import { readUnifiedDiff } from '../../../../src/rules/text/unified-diff.ts';

const filesOf = (...rows: readonly string[]) => {
  const read = readUnifiedDiff(rows.join('\n'));
  if (!read.ok) throw new Error(read.why);
  return read.value;
};
const why = (...rows: readonly string[]): string => {
  const read = readUnifiedDiff(rows.join('\n'));
  return read.ok ? '' : read.why;
};

describe('a unified diff', () => {
  it('gives new lines with their numbers, without what is removed or only shown', () => {
    const [file] = filesOf('--- a/a.ts', '+++ b/a.ts', '@@ -1,3 +1,4 @@', ' one', '-two', '+TWO', '+and', ' three', '');
    expect(file).toEqual({
      path: 'a.ts',
      change: 'modified',
      binary: false,
      added: [
        { line: 2, text: 'TWO' },
        { line: 3, text: 'and' },
      ],
    });
  });

  it('does not take a new line that begins with ++ for a header', () => {
    expect(
      filesOf('--- a/a.ts', '+++ b/a.ts', '@@ -0,0 +1,2 @@', '+++i;', '+x', '')[0]?.added.map(({ text }) => text),
    ).toEqual(['++i;', 'x']);
  });

  it.each([
    ['a file that is new', ['--- /dev/null', '+++ b/x', '@@ -0,0 +1 @@', '+x', ''], { path: 'x', change: 'added' }],
    [
      'a file that goes',
      ['--- a/x', '+++ /dev/null', '@@ -1 +0,0 @@', '-x', ''],
      { path: 'x', change: 'deleted', added: [] },
    ],
    [
      'a file that moves',
      ['diff --git a/x b/y', 'similarity index 100%', 'rename from x', 'rename to y', ''],
      { path: 'y', from: 'x', change: 'moved' },
    ],
    [
      'a file that is a copy, of which it shows nothing',
      ['diff --git a/x b/y', 'similarity index 100%', 'copy from x', 'copy to y', ''],
      { path: 'y', change: 'added', unread: 'a copy, which a patch does not show' },
    ],
    [
      'a file that is new and empty',
      ['diff --git a/x b/x', 'new file mode 100644', 'index 0000000..e69de29', ''],
      { path: 'x', change: 'added', content: '', added: [] },
    ],
    [
      'a change of mode alone',
      ['diff --git a/x b/x', 'old mode 100644', 'new mode 100755', ''],
      { path: 'x', change: 'modified', added: [] },
    ],
    [
      'a binary file',
      ['diff --git a/x b/x', 'index 1..2 100644', 'Binary files a/x and b/x differ', ''],
      { path: 'x', binary: true },
    ],
    ['a name that git quotes', ['--- /dev/null', '+++ "b/\\303\\251.ts"', '@@ -0,0 +1 @@', '+x', ''], { path: 'é.ts' }],
    [
      'lines that end with CR',
      ['--- a/x', '+++ b/x', '@@ -0,0 +1 @@', '+x\r', ''],
      { added: [{ line: 1, text: 'x' }] },
    ],
    ['a diff without prefixes', ['--- src/x', '+++ src/x', '@@ -0,0 +1 @@', '+x', ''], { path: 'src/x' }],
    [
      'a file without a line break at its end',
      [
        '--- a/x',
        '+++ b/x',
        '@@ -1 +1 @@',
        '-a',
        '\\ No newline at end of file',
        '+b',
        '\\ No newline at end of file',
        '',
      ],
      { added: [{ line: 1, text: 'b' }] },
    ],
  ])('knows %s', (_, rows, expected) => {
    expect(filesOf(...rows)[0]).toMatchObject(expected);
  });

  it.each([
    ['words', ['hello']],
    ['a hunk that ends too early', ['--- a/a', '+++ b/a', '@@ -1 +1,5 @@', ' x', '+y', '']],
    ['a hunk that is longer than it says', ['--- a/a', '+++ b/a', '@@ -1 +1 @@', ' x', '+evil', '']],
    ['a hunk header that no parser knows', ['--- a/a', '+++ b/a', '@@-1 +1,2@@', '+evil', '']],
    ['a combined diff', ['diff --cc a', 'index 1,2..3', '--- a/a', '+++ b/a', '@@@ -1,1 -1,1 +1,2 @@@', '++evil', '']],
    ['a hunk without a file', ['@@ -0,0 +1 @@', '+evil', '']],
  ])('that is %s is refused, so that no line goes unlooked at', (_, rows) => {
    expect(why(...rows)).not.toBe('');
  });

  it('that is empty changes nothing', () => {
    expect(filesOf('')).toEqual([]);
  });
});

describe('sha256', () => {
  it('is the same as that of the platform, at every length around a block', () => {
    for (let length = 0; length < 200; length += 1) {
      const text = 'é'.repeat(length % 7) + 'x'.repeat(length);
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});
