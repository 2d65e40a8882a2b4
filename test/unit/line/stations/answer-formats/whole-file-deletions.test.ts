import { describe, expect, it } from 'vitest';
import { expectEffortBelow } from '../../../../support/effort.ts';
import { readAnswer } from '../../../../../src/line/stations/answer-formats/read-answer.ts';

/** The paths that an answer deletes; undefined where it cannot be read. */
function deleted(text: string): readonly string[] | undefined {
  const read = readAnswer(text, { targetFile: undefined, maxFiles: 100 });
  if (!read.ok) return undefined;
  return read.value.kind === 'change'
    ? read.value.edits.flatMap(({ kind, path }) => (kind === 'delete' ? [path] : []))
    : [];
}

const BESIDE = 'FILE: a.ts\n```ts\nx\n```\n';

describe('a file to delete, in the words of models', () => {
  it.each([
    'DELETE: src/old.ts',
    'DELETE src/old.ts',
    'DELETE:src/old.ts',
    'Delete: src/old.ts',
    'delete: src/old.ts',
    '**DELETE:** `src/old.ts`',
    '**DELETE: src/old.ts**',
    '**DELETE** src/old.ts',
    '`DELETE: src/old.ts`',
    '`DELETE src/old.ts`',
    '- DELETE: src/old.ts',
    '* `DELETE` `src/old.ts`',
    '1. DELETE src/old.ts',
    '- [ ] DELETE src/old.ts',
    '> DELETE: src/old.ts',
    '### DELETE: `src/old.ts`',
    'DELETE "src/old.ts"',
    "DELETE: 'src/old.ts'",
    'DELETE FILE: src/old.ts',
    'Delete file: src/old.ts',
    'Delete the file: `src/old.ts`',
    'Delete file `src/old.ts`',
    'delete `src/old.ts`',
    'Delete `src/old.ts`.',
    'DELETE -> src/old.ts',
    'DELETE — src/old.ts',
    'DELETE: src/old.ts (no longer needed)',
    'DELETE: ./src/old.ts',
    'DELETED: src/old.ts',
    'REMOVE: src/old.ts',
    'Remove file: src/old.ts',
    '*** Delete File: src/old.ts',
    '[DELETE] src/old.ts',
    '<delete>src/old.ts</delete>',
    '<delete path="src/old.ts" />',
    'File deleted: src/old.ts',
    '`src/old.ts`: DELETED',
    'rm src/old.ts',
    '$ rm -f src/old.ts',
    'git rm src/old.ts',
    '```\nDELETE: src/old.ts\n```',
    '```bash\nrm src/old.ts\n```',
    '```sh\ngit rm -f src/old.ts\n```',
    '--- a/src/old.ts\n+++ /dev/null',
    '```diff\n--- a/src/old.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n```',
    'diff --git a/src/old.ts b/src/old.ts\ndeleted file mode 100644\nindex e69de29..0000000\n--- a/src/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-one',
  ])('%j', (text) => {
    expect(deleted(`${BESIDE}${text}\n`)).toEqual(['src/old.ts']);
    expect(deleted(`${text}\n\n${BESIDE}`)).toEqual(['src/old.ts']);
  });

  it.each([
    'FILE: src/old.ts (deleted)',
    'FILE: src/old.ts (DELETE)',
    'FILE: src/old.ts\nDELETE',
    'FILE: src/old.ts\n```\nDELETE\n```',
  ])('is refused instead of guessed in %j', (text) => {
    expect(deleted(`${BESIDE}${text}\n`)).toBeUndefined();
  });

  it('several at once', () => {
    expect(deleted('rm src/a.ts src/b.ts\nDELETE: c.ts\nDELETE d.ts, e/f.ts')).toEqual([
      'src/a.ts',
      'src/b.ts',
      'c.ts',
      'd.ts',
      'e/f.ts',
    ]);
  });

  it.each([
    'Delete src/old.ts once the migration is done.',
    'I would delete `src/old.ts` later.',
    'Delete the rest?',
    'Delete `src/old.ts`?',
    'DELETE: none',
    'DELETE FROM users;',
    'DELETE /api/users/1 is now handled by the router.',
    'We should remove the old parser from src/old.ts.',
    'Remove the unused import in `src/old.ts`.',
    'Removed: the old helper',
    'Removed: config.debug',
    'Do not delete `src/old.ts`.',
    'delete obj.key;',
    'The rm command is not used any more.',
    'Deleting src/old.ts is not needed.',
    'Deleted code: see above',
    'rm -rf build/',
    'rm *.ts',
    'DELETE',
    'Delete',
    'To delete a file, write DELETE and its path.',
    '- Delete key handling in src/keys.ts',
  ])('prose deletes nothing: %j', (text) => {
    expect(deleted(`${BESIDE}${text}\n`)).toEqual([]);
  });

  it('a name with blanks, a file of its own that is a patch, and a block between are what they were', () => {
    expect(deleted('DELETE: docs/my notes.md')).toEqual(['docs/my notes.md']);
    expect(deleted('DELETE: `docs/my notes.md`')).toEqual(['docs/my notes.md']);
    expect(deleted('FILE: a.patch\n```\n--- a/x.ts\n+++ /dev/null\n```\n')).toEqual([]);
    expect(deleted('FILE: a.ts\nDELETE: b.ts\n```\nx\n```\n')).toEqual(['b.ts']);
  });

  it.each(['`', ' ', '_', '*', 'delete ', 'a,', '( ', 'file:`'])('takes no time over %j again and again', (piece) => {
    for (const start of ['DELETE', 'delete', 'FILE: a', 'rm ', '<delete'])
      expectEffortBelow(150, () => deleted(`${start}${piece.repeat(590 / piece.length)}!\n`.repeat(200)));
  });
});
