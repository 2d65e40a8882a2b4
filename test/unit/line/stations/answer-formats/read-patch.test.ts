import { createTwoFilesPatch } from 'diff';
import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../../src/line/stations/answer-formats/apply-answer.ts';
import { readAnswer } from '../../../../../src/line/stations/answer-formats/read-answer.ts';

const OLD = 'one\ntwo\nthree\nfour\nfive\n';

/** What the answer makes of `src/a.txt` (and what else it writes), or why it is refused. */
function applied(answer: string, old = OLD): Readonly<Record<string, string | null>> | string {
  const read = readAnswer(answer, { targetFile: undefined, maxFiles: 20 });
  if (!read.ok) return read.why.detail;
  const files = new Map([['src/a.txt', { bytes: new TextEncoder().encode(old), mode: '100644' as const }]]);
  const result = applyEdits(read.value.kind === 'change' ? read.value.edits : [], {
    current: (path) => files.get(path),
    paths: files,
    folders: new Set(['src']),
    spelledLike: () => [],
    scope: { allowedPaths: ['**'], forbiddenPaths: [] },
    allowDeletes: true,
    example: 'path/to/file',
  });
  if (!result.ok) return result.why.map(({ kind, detail }) => `${kind}: ${detail}`).join('\n');
  return Object.fromEntries(
    result.value.map(({ path, content }) => [path, content === null ? null : new TextDecoder().decode(content)]),
  );
}

const HUNK = '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';
const HEADS = '--- a/src/a.txt\n+++ b/src/a.txt\n';
const CHANGED = { 'src/a.txt': 'one\n2\nthree\nfour\nfive\n' };

describe('a diff in an answer', () => {
  it.each([
    ['in a fence', `\`\`\`diff\n${HEADS}${HUNK}\`\`\``],
    [
      'with the head of git',
      `\`\`\`diff\ndiff --git a/src/a.txt b/src/a.txt\nindex 1..2 100644\n${HEADS}${HUNK}\`\`\``,
    ],
    ['without a fence', `Here it is:\n\n${HEADS}${HUNK}\nNOTES:\nAs asked.`],
    ['without a and b', `\`\`\`diff\n${HEADS.replaceAll(/[ab]\//g, '')}${HUNK}\`\`\``],
    ['with wrong counts', `\`\`\`diff\n${HEADS}${HUNK.replace('-1,3 +1,3', '-40,9 +41,2')}\`\`\``],
    ['with a head without numbers', `\`\`\`diff\n${HEADS}${HUNK.replace(' -1,3 +1,3 @@', '')}\`\`\``],
    ['behind the line that names the file', `FILE: src/a.txt\n\`\`\`diff\n${HUNK}\`\`\``],
    ['as codex writes it', `*** Begin Patch\n*** Update File: src/a.txt\n@@\n one\n-two\n+2\n three\n*** End Patch`],
    [
      'as codex writes it, in a fence',
      `\`\`\`\n*** Begin Patch\n*** Update File: src/a.txt\n-two\n+2\n*** End Patch\n\`\`\``,
    ],
  ])('is applied exactly: %s', (_, answer) => {
    expect(applied(answer)).toEqual(CHANGED);
  });

  it('adds and deletes files', () => {
    const added = '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n';
    const deleted = '--- a/src/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n';
    expect(applied(`\`\`\`diff\n${added}${deleted}\`\`\``)).toEqual({ 'new.txt': 'a\nb\n', 'src/a.txt': null });
    const codex = '*** Begin Patch\n*** Add File: new.txt\n+a\n+b\n*** Delete File: src/a.txt\n*** End Patch';
    expect(applied(codex)).toEqual({ 'new.txt': 'a\nb\n', 'src/a.txt': null });
  });

  it.each([
    ['has context that is not in the file', HUNK.replace(' one', ' uno'), 'is not in the file'],
    ['only adds, without a line of the file', '@@ -1,0 +2 @@\n+new\n', 'no line of the file'],
    ['changes nothing', '@@ -1,2 +1,2 @@\n one\n two\n', 'changes nothing'],
    ['has a line without a sign', `${HUNK}four\n`, 'does not begin with'],
  ])('is refused with the reason where it %s', (_, hunk, reason) => {
    expect(applied(`\`\`\`diff\n${HEADS}${hunk}\`\`\``)).toContain(reason);
  });

  it('is refused where its lines stand in the file more than once', () => {
    const twice = 'one\ntwo\nthree\none\ntwo\nthree\n';
    expect(applied(`\`\`\`diff\n${HEADS}${HUNK}\`\`\``, twice)).toContain('is in the file 2 times');
  });

  it.each([
    ['moves a file', `diff --git a/src/a.txt b/b.txt\nrename from src/a.txt\nrename to b.txt\n`, 'moves b.txt'],
    ['adds a file that exists', '--- /dev/null\n+++ b/src/a.txt\n@@ -0,0 +1 @@\n+a\n', 'adds the file, but it exists'],
    ['adds a file with lines without a sign', '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,2 @@\n+a\nb\n', 'with `+`'],
    [
      'adds a program',
      'diff --git a/b.sh b/b.sh\nnew file mode 100755\n--- /dev/null\n+++ b/b.sh\n@@ -0,0 +1 @@\n+a\n',
      'changes the mode of b.sh',
    ],
    ['is of another file than announced', `${HEADS}${HUNK}`, 'name the same file'],
    ['names no file', HUNK, 'names no file'],
  ])('is refused where it %s', (title, diff, reason) => {
    const header = title.includes('announced') ? 'FILE: src/b.txt\n' : '';
    expect(applied(`${header}\`\`\`diff\n${diff}\`\`\``)).toContain(reason);
  });

  it('without a fence is refused where it was cut off, and after the notes', () => {
    expect(applied(`${HEADS}${HUNK.replace(' three\n', '')}`)).toContain('is shorter');
    expect(applied(`${HEADS}${HUNK.replace(' three', 'three')}`)).toContain('is shorter');
    expect(applied('*** Begin Patch\n*** Update File: src/a.txt\n-two\n+2\n')).toContain('cut off');
    expect(applied(`DELETE: src/a.txt\nNOTES:\nAs asked.\n${HEADS}${HUNK}`)).toContain('comes after NOTES');
  });

  it('is the text of a file that is one', () => {
    const answer = `FILE: fix.patch\n\`\`\`diff\n${HEADS}${HUNK}\`\`\``;
    expect(applied(answer)).toEqual({ 'fix.patch': `${HEADS}${HUNK}` });
  });

  it('of any two texts gives the second one, or is refused', () => {
    const text = array(constantFrom('a', 'b', 'c', '', '  d', '--- e', '+f'), { minLength: 1, maxLength: 12 });
    assert(
      property(text, text, (before, after) => {
        const [old, fresh] = [before, after].map((lines) => lines.map((line) => `${line}\n`).join('')) as [
          string,
          string,
        ];
        const patch = createTwoFilesPatch('a/src/a.txt', 'b/src/a.txt', old, fresh).replace(/^=+\n/, '');
        const result = applied(`\`\`\`\`\`diff\n${patch}\`\`\`\`\``, old);
        if (typeof result !== 'string') expect(result['src/a.txt']).toBe(fresh);
      }),
    );
  });
});
