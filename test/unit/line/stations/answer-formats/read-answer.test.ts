import * as fc from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { ImplementerAnswer, UnreadableAnswer } from '../../../../../src/line/stations/answer-formats/answer.ts';
import { readAnswer } from '../../../../../src/line/stations/answer-formats/read-answer.ts';
import { effort, expectEffortBelow } from '../../../../support/effort.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const read = (text: string, targetFile?: string, maxFiles = 100_000) => readAnswer(text, { targetFile, maxFiles });

function answer(text: string, targetFile?: string): ImplementerAnswer {
  const result = read(text, targetFile);
  if (!result.ok) throw new Error(result.why.detail);
  return result.value;
}

/** The files of an answer, as path → what is to become of it. */
function files(text: string, targetFile?: string): Record<string, unknown> {
  const read = answer(text, targetFile);
  if (read.kind === 'no-change') throw new Error('no change');
  const entries = read.edits.map((edit) => {
    if (edit.kind === 'write') return [edit.path, edit.content];
    return [edit.path, edit.kind === 'delete' ? null : edit.blocks.map(({ search, replace }) => [search, replace])];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function fault(text: string, targetFile?: string): UnreadableAnswer {
  const result = read(text, targetFile);
  if (result.ok) throw new Error(`was read as ${JSON.stringify(result.value)}`);
  return result.why;
}

const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;

describe('whole files in fences', () => {
  it.each([
    ['the format as asked', 'FILE: src/a.ts\n```ts\n  x\n```'],
    ['four backticks', 'FILE: src/a.ts\n````ts\n  x\n````\n'],
    ['tildes', 'FILE: src/a.ts\n~~~\n  x\n~~~'],
    ['a heading', '### FILE: src/a.ts\n\n```ts\n  x\n```'],
    ['bold and code marks', '**FILE:** `src/a.ts`\n```ts\n  x\n```'],
    ['all in bold', '**FILE: src/a.ts**\n```ts\n  x\n```'],
    ['all in code marks', '`FILE: src/a.ts`\n```ts\n  x\n```'],
    ['a capital letter', 'File: src/a.ts\n```ts\n  x\n```'],
    ['a remark', 'FILE: src/a.ts (modified)\n```ts\n  x\n```'],
    ['a leading dot', 'FILE: ./src/a.ts\n```ts\n  x\n```'],
    ['a label', 'Here it is.\n\n`src/a.ts`:\n```ts\n  x\n```'],
    ['a heading that is a path', '## src/a.ts\n\n```ts\n  x\n```'],
    ['a path behind the language', '```ts src/a.ts\n  x\n```'],
    ['a path glued to the language', '```ts:src/a.ts\n  x\n```'],
    ['a title', '```ts title="src/a.ts"\n  x\n```'],
    ['a path instead of a language', '```src/a.ts\n  x\n```'],
    ['Windows line ends', 'FILE: src/a.ts\r\n```ts\r\n  x\r\n```\r\n'],
    ['a byte order mark and prose', '\uFEFFSure, I can do that: see below.\nFILE: src/a.ts\n\n```ts\n  x\n```\nDone.'],
    ['blank lines at the end', 'FILE: src/a.ts\n```ts\n  x\n\n\n```'],
    ['a fence in a list', '1. `src/a.ts`:\n   ```ts\n     x\n   ```'],
    ['a thought', '<think>\nFILE: b.ts\n```\n</think>\nFILE: src/a.ts\n```ts\n  x\n```'],
    ['a thought that the template opened', 'I think ```\n</think>\n\nFILE: src/a.ts\n```ts\n  x\n```'],
    ['a thought as ollama prints it', 'Thinking...\n```\nhm\n...done thinking.\n\nFILE: src/a.ts\n```ts\n  x\n```'],
    ['one more fence around it all', '````\nFILE: src/a.ts\n```ts\n  x\n```\n````'],
    ['commands to run at the end', 'FILE: src/a.ts\n```ts\n  x\n```\nThen run:\n```bash\nnpm test\n```'],
    ['the same file twice, unchanged', 'FILE: src/a.ts\n```ts\n  x\n```\nFILE: src/a.ts\n```ts\n  x\n```'],
  ])('are read with %s', (_, text) => expect(files(text)).toEqual({ 'src/a.ts': '  x\n' }));

  it('an empty fence is an empty file', () => {
    expect(files('FILE: src/__init__.py\n```python\n```')).toEqual({ 'src/__init__.py': '' });
  });

  it('a single block without a path is the file the task is about', () => {
    expect(files('```c++\nint x;\n```', 'x.cpp')).toEqual({ 'x.cpp': 'int x;\n' });
    expect(fault('```c++\nint x;\n```').kind).toBe('malformed');
    expect(fault('```bash\nnpm test\n```', 'src/a.ts').kind).toBe('malformed');
  });

  it('several blocks without paths are never guessed at', () => {
    const text = 'Usage:\n```python\nfoo()\n```\nFile:\n```python\ndef foo(): pass\n```';
    expect(fault(text, 'foo.py')).toEqual({ kind: 'malformed', detail: expect.stringMatching(/no path/) as string });
    expect(fault('FILE: a.ts\n```ts\nx\n```\nAnd this:\n```ts\ny\n```').kind).toBe('malformed');
  });

  it('a Markdown file keeps the blocks inside it', () => {
    const inner = '# T\n```sh\nls\n```\n## End\n';
    expect(files(`\`\`\`\`markdown\n${inner}\`\`\`\``, 'T.md')).toEqual({ 'T.md': inner });
    expect(files(`FILE: T.md\n\`\`\`\n${inner}\`\`\``)).toEqual({ 'T.md': inner });
    expect(files(`\`\`\`md\n${inner}\`\`\``, 'x')).toEqual({ x: inner });
  });

  it('a file that holds fences is never cut without a word', () => {
    expect(fault('FILE: a.py\n```python\n"""\n```\nx\n```\n"""\n```').kind).toBe('malformed');
    expect(fault('FILE: T.md\n```md\n# T\n```\nx\n```\nend\n```').kind).toBe('malformed');
  });

  it('a diff is not a file, whatever its headers say (case 77)', () => {
    expect(fault('FILE: a.ts\n```diff\n-x\n+y\n```').detail).toMatch(/diff/);
    expect(fault('FILE: a.ts\n```\n--- a/a.ts\n+++ b/a.ts\n@@\n```').detail).toMatch(/diff/);
  });
});

describe('an answer that cannot be read', () => {
  it.each(['', '  \n ', '<think>hm</think>\n\n', '\r\n'])('%j is empty', (text) =>
    expect(fault(text).kind).toBe('empty'),
  );

  it.each([
    ['prose', 'I will do it later'],
    ['a fence that never closes', 'FILE: a.ts\n```ts\nconst x ='],
    ['a thought that never ends', '<think>\nFILE: a.ts\n```ts\nx\n```'],
    ['a block that never closes', 'FILE: a.ts\n<<<<<<< SEARCH\nx\n=======\ny'],
    ['a path without a block', 'FILE: a.ts\nconst x = 1;'],
    ['one file with two contents', 'FILE: a.ts\n```\nx\n```\nFILE: a.ts\n```\ny\n```'],
    ['a file both written and deleted', 'FILE: a.ts\n```\nx\n```\nDELETE: a.ts'],
    ['NO CHANGE together with a file', 'NO CHANGE: fine\nFILE: a.ts\n```\nx\n```'],
    ['NO CHANGE without a reason', 'NO CHANGE'],
    ['a file after the notes', 'FILE: a.ts\n```\nx\n```\nNOTES:\nand\nFILE: b.ts\n```\ny\n```'],
    ['a block without a path', block('x\n', 'y\n')],
    ['two dividers in one block', `FILE: a.ts\n${block('x\n=======\n', 'y\n')}`],
  ])('%s is malformed', (_, text) => expect(fault(text).kind).toBe('malformed'));
});

describe('search and replace', () => {
  it.each([
    ['bare', `FILE: src/a.ts\n${block('a\n', 'b\n')}${block('  c\n', '')}`],
    ['in one fence', `FILE: src/a.ts\n\`\`\`ts\n${block('a\n', 'b\n')}\n${block('  c\n', '')}\`\`\``],
    [
      'each in its fence',
      `FILE: src/a.ts\n\`\`\`\n${block('a\n', 'b\n')}\`\`\`\nand\n\`\`\`\n${block('  c\n', '')}\`\`\``,
    ],
    ['with the path in the fence', `\`\`\`\nFILE: src/a.ts\n${block('a\n', 'b\n')}${block('  c\n', '')}\`\`\``],
    ['under a label', `src/a.ts\n\`\`\`\n${block('a\n', 'b\n')}${block('  c\n', '')}\`\`\``],
  ])('blocks are read %s', (_, text) => {
    expect(files(text)).toEqual({ 'src/a.ts': [['a\n', 'b\n'], ['  c\n', '']] }); // prettier-ignore
  });

  it('fences inside a block are text', () => {
    expect(files(`FILE: T.md\n\`\`\`\n${block('```sh\nls\n```\n', '```\n')}\`\`\``)).toEqual({
      'T.md': [['```sh\nls\n```\n', '```\n']],
    });
  });
});

describe('the lines around the files', () => {
  it.each([['DELETE: src/old.ts'], ['DELETE src/old.ts'], ['**DELETE:** `src/old.ts`'], ['Delete: src/old.ts']])(
    '%s deletes',
    (text) => expect(files(text)).toEqual({ 'src/old.ts': null }),
  );

  it('prose about deleting deletes nothing', () => {
    expect(fault('DELETE FROM users;').kind).toBe('malformed');
    expect(files('Delete the rest?\nDELETE: none\nFILE: a.ts\n```\nx\n```')).toEqual({ 'a.ts': 'x\n' });
  });

  it('NO CHANGE carries its reason', () => {
    expect(answer('NO CHANGE: it is so already\n')).toEqual({ kind: 'no-change', reason: 'it is so already' });
    expect(answer('**NO CHANGE**\n\nThe test is there.\nNOTES: x')).toEqual({
      kind: 'no-change',
      reason: 'The test is there.',
    });
  });

  it('everything after NOTES is notes', () => {
    expect(answer('FILE: a.ts\n```\nx\n```\n**NOTES:** see\n```\ncode\n```\nDELETE: b.ts')).toMatchObject({
      edits: [{ path: 'a.ts' }],
      notes: 'see\n```\ncode\n```\nDELETE: b.ts',
    });
  });
});

describe('any answer at all', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '```',
      '````',
      '~~~',
      '```md',
      '',
      '  ',
      '=======',
      '<<<<<<< SEARCH',
      '>>>>>>> REPLACE',
      'NOTES:',
      '<think>',
    ),
    fc.constantFrom(
      '</think>',
      'FILE: a.ts',
      'DELETE: b',
      'NO CHANGE: x',
      '  indented',
      '\ttab',
      '# heading',
      'a\r',
      '\uFEFF',
    ),
    fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\n', '')),
  );

  it('comes back as it was written, whatever the files hold', () => {
    const contents = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((one) => one.replace(/\r$/, '')));
    const named = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}\/[a-z_]{1,8}\.(?:ts|md|py)$/), contents), {
      selector: ([path]) => path,
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(named, fc.constantFrom('`', '~'), (written, mark) => {
        const rendered = written.map(([path, lines]) => {
          const text = lines.join('\n');
          const longest = Math.max(3, ...(text.match(/`+|~+/g) ?? []).map((run) => run.length + 1));
          const fence = mark.repeat(longest);
          return `FILE: ${path}\n${fence}\n${text}${text === '' ? '' : '\n'}${fence}\n`;
        });
        const expected = written.map(([path, lines]) => {
          const body = lines.join('\n').replace(/\n+$/, '');
          return [path, body === '' ? '' : `${body}\n`];
        });
        // A fence of blocks is read as blocks; a lone `</think>` at the beginning ends a thought.
        fc.pre(written.every(([, lines]) => !lines.some((one) => /^(?:<<<<<<< SEARCH|<\/think>)$/.test(one.trim()))));
        expect(files(rendered.join('\n'))).toEqual(Object.fromEntries(expected));
      }),
    );
  });

  it('is read without an exception', () => {
    fc.assert(
      fc.property(fc.array(line), fc.option(fc.constant('src/a.md'), { nil: undefined }), (lines, targetFile) => {
        const result = read(lines.join('\n'), targetFile);
        expect(result.ok || result.why.detail.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['one long line', 'x'.repeat(1_000_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['newlines', '\n'.repeat(1_000_000)],
    ['backticks', '`'.repeat(1_000_000)],
    ['open fences', '```ts\n'.repeat(150_000)],
    ['closed fences', '```\n```\n'.repeat(120_000)],
    ['marks of blocks', '<<<<<<< SEARCH\n'.repeat(65_000)],
    ['whole blocks', `FILE: a.ts\n${block('a\n', 'b\n').repeat(20_000)}`],
    ['diffs', '--- a/a.ts\n+++ b/a.ts\n@@\n-a\n+b\nx\n'.repeat(20_000)],
    ['patches', '*** Begin Patch\n'.repeat(65_000)],
    ['thoughts', '<think></think>'.repeat(65_000)],
    ['open thoughts', 'Thinking...\n'.repeat(80_000)],
    ['headers full of blanks', `FILE: a${' '.repeat(4900)}b\n`.repeat(200)],
    ['labels', `${'`'.repeat(4000)} ${'('.repeat(900)}\n\`\`\`\n\`\`\`\n`.repeat(200)],
    ['reasons', 'NO CHANGE: x\n'.repeat(75_000)],
    ['nested fences', Array.from({ length: 900 }, (_, at) => `${'`'.repeat(1000 - at)}\nFILE: a\n`).join('')],
    ['stars', '*'.repeat(1_000_000)],
  ])('is read in good time: %s', (_, text) => {
    expectEffortBelow(75, () => {
      read(text, 'a.md');
    });
  });
});

describe('an answer of more files than may change', () => {
  const files = (count: number): string =>
    Array.from({ length: count }, (_, at) => `FILE: docs/${at}.md\n\`\`\`\n\`\`\`\n`).join('');
  const said = 'The answer gives more than 3 files; max_files is 3, so change fewer.';

  it('is refused with the limit, and one of as many is read', () => {
    expect(read(files(4), undefined, 3)).toStrictEqual({ ok: false, why: { kind: 'too-many-files', detail: said } });
    expect(read(files(3), undefined, 3)).toMatchObject({ ok: true });
  });

  it('counts a file once, however many blocks change it, and counts what it deletes', () => {
    const block = 'FILE: docs/0.md\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n';
    expect(read(block.repeat(5), undefined, 3)).toMatchObject({ ok: true });
    expect(read(`${files(3)}DELETE docs/9.md\n`, undefined, 3)).toMatchObject({ why: { kind: 'too-many-files' } });
  });

  it('is not read to its end: what comes after the limit is never looked at', () => {
    const whole = effort(() => answer(files(20_000)), Infinity);
    expectEffortBelow(whole, () => read(files(40_000), undefined, 3));
  });

  it('is not even cut into lines: of megabytes only the beginning is looked at', () => {
    const flood = files(200_000);
    read(flood, undefined, 3); // the first time costs what any first time costs
    expectEffortBelow(2, () => read(flood, undefined, 3));
  });

  it.each([
    ['in its own words', 'Thinking...\n', '...done thinking.\n'],
    ['in marks', '<think>\n', '</think>\n'],
    ['in marks of which the model only gives the last', '', '</think>\n'],
  ])('is none where they are only thought of for megabytes, %s', (_, opens, closes) => {
    const thought = `${opens}${files(30_000)}${closes}FILE: docs/a.md\n\`\`\`\ntext\n\`\`\`\n`;
    expect(read(thought, undefined, 3)).toMatchObject({ ok: true, value: { edits: [{ path: 'docs/a.md' }] } });
  });
});
