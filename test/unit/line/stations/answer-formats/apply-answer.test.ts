import * as fc from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { listFolders } from '../../../../../src/base/list-folders.ts';
import { spelledLike } from '../../../../support/spelled-like.ts';
import type { Edit } from '../../../../../src/line/stations/answer-formats/answer.ts';
import {
  applyEdits,
  type CurrentFile,
  type AnswerContext,
} from '../../../../../src/line/stations/answer-formats/apply-answer.ts';
import { expectEffortBelow } from '../../../../support/effort.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const write = (path: string, content: string): Edit => ({ kind: 'write', path, content });
const replace = (path: string, ...blocks: readonly (readonly [string, string])[]): Edit => ({
  kind: 'replace',
  path,
  blocks: blocks.map(([search, replace]) => ({ search, replace })),
});

type Files = Readonly<Record<string, string | CurrentFile>>;

/** A project in which `src/` and `docs/` may be changed. */
function aWorld(files: Files = {}, changes: Partial<AnswerContext> = {}): AnswerContext {
  const file = (path: string): CurrentFile | undefined => {
    const found = Object.hasOwn(files, path) ? files[path] : undefined;
    return typeof found === 'string' ? { bytes: bytes(found), mode: '100644' } : found;
  };
  return {
    current: file,
    paths: new Set(Object.keys(files)),
    folders: listFolders(Object.keys(files)),
    spelledLike: spelledLike(Object.keys(files)),
    scope: { allowedPaths: ['src/', 'docs/', 'link/', 'sub/'], forbiddenPaths: ['.env', 'src/secret/'] },
    allowDeletes: false,
    example: 'src/example/greeting.txt',
    ...changes,
  };
}

const apply = (services: AnswerContext, ...edits: Edit[]) => applyEdits(edits, services);

/** What would be written, as path → text. */
function written(services: AnswerContext, ...edits: Edit[]): Record<string, string | null> {
  const result = apply(services, ...edits);
  if (!result.ok) throw new Error(JSON.stringify(result.why));
  const decode = new TextDecoder('utf-8', { ignoreBOM: true });
  return Object.fromEntries(
    result.value.map(({ path, content }) => [path, content === null ? null : decode.decode(content)]),
  );
}

function refusals(services: AnswerContext, ...edits: Edit[]): readonly string[] {
  const result = apply(services, ...edits);
  return result.ok ? [] : result.why.map(({ kind, path }) => `${kind} ${path}`);
}

const detail = (services: AnswerContext, ...edits: Edit[]): string => {
  const result = apply(services, ...edits);
  return result.ok ? '' : result.why.map(({ detail }) => detail).join('\n');
};

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${String(at + 1)}\n`).join('');

describe('a change that is in order', () => {
  it('writes new files as ordinary files', () => {
    const result = apply(aWorld(), write('src/a.ts', 'x\n'), write('src/empty', ''));
    expect(result).toEqual({
      ok: true,
      value: [
        { path: 'src/a.ts', mode: '100644', content: bytes('x\n') },
        { path: 'src/empty', mode: '100644', content: bytes('') },
      ],
    });
  });

  it('keeps a script executable', () => {
    const services = aWorld({ 'src/run': { bytes: bytes('a\n'), mode: '100755' } });
    expect(apply(services, write('src/run', 'b\n'))).toMatchObject({ ok: true, value: [{ mode: '100755' }] });
  });

  it('leaves out files that are already so', () => {
    const services = aWorld({ 'src/a.ts': 'x\n', 'src/b.ts': 'y\r\nz\n' });
    expect(written(services, write('src/a.ts', 'x\n'), write('src/b.ts', 'y\nz!\n'))).toEqual({
      'src/b.ts': 'y\r\nz!\n',
    });
    expect(refusals(services, write('src/a.ts', 'x\n'), write('src/b.ts', 'y\nz\n'))).toEqual(['no-op src/a.ts']);
  });

  it('deletes where the contract allows it', () => {
    expect(
      written(aWorld({ 'src/a.ts': 'x\n' }, { allowDeletes: true }), { kind: 'delete', path: 'src/a.ts' }),
    ).toEqual({
      'src/a.ts': null,
    });
  });
});

describe('the style of a file stays', () => {
  it.each([
    ['Windows line ends', 'a\r\nb\r\n', 'a\r\nB\r\n'],
    ['a byte order mark', '\uFEFFa\nb\n', '\uFEFFa\nB\n'],
    ['a missing final newline', 'a\nb', 'a\nB'],
    ['all of it', '\uFEFFa\r\nb', '\uFEFFa\r\nB'],
  ])('with %s', (_, old, expected) => {
    const services = aWorld({ 'src/a.txt': old });
    expect(written(services, write('src/a.txt', 'a\nB\n'))).toEqual({ 'src/a.txt': expected });
    expect(written(services, replace('src/a.txt', ['b\n', 'B\n']))).toEqual({ 'src/a.txt': expected });
  });

  it('line by line where only some lines are replaced', () => {
    const services = aWorld({ 'src/a.txt': 'a\r\nb\nc\r\n' });
    expect(written(services, replace('src/a.txt', ['b\n', 'B\nB\n']))).toEqual({ 'src/a.txt': 'a\r\nB\r\nB\r\nc\r\n' });
  });

  it('for any text and either line end', () => {
    const text = fc.array(fc.stringMatching(/^[a-z ]{0,6}$/), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(
        text,
        text,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.boolean(),
        (old, fresh, end, mark, closed) => {
          const close = (body: readonly string[], newline: string) =>
            [...body, 'z'].join(newline) + (closed ? newline : '');
          const services = aWorld({ 'src/a.txt': (mark ? '\uFEFF' : '') + close(old, end) }, { allowShrink: true });
          fc.pre(old.join('\n') !== fresh.join('\n'));
          const expected = (mark ? '\uFEFF' : '') + close(fresh, end);
          expect(written(services, write('src/a.txt', `${[...fresh, 'z'].join('\n')}\n`))).toEqual({
            'src/a.txt': expected,
          });
        },
      ),
    );
  });
});

describe('where an answer must not write', () => {
  it.each([
    ['../../x', 'scope'],
    ['src/../lib/a.ts', 'scope'],
    ['/etc/passwd', 'scope'],
    ['C:\\windows\\x', 'scope'],
    ['.git/config', 'protected'],
    ['src/.GIT/config', 'protected'],
    ['/src/secret/key', 'forbidden'],
    ['src/a:b', 'path'],
    ['/src/a.ts', 'path'],
    ['lib/../src/a.ts', 'path'],
    ['lib/a.ts', 'scope'],
    ['src-x/a.ts', 'scope'],
    ['src/secret/key', 'forbidden'],
    ['src/.env', 'forbidden'],
    ['src/.ENV', 'forbidden'],
    ['src/CLAUDE.md', 'protected'],
    ['src/package-lock.json', 'protected'],
    ['src/example/greeting.txt', 'example'],
  ])('%s is refused as %s (cases 72, 73, 75, 78, 80)', (path, kind) => {
    expect(refusals(aWorld(), write(path, 'x\n'))).toEqual([`${kind} ${path}`]);
  });

  it('through a link or into a submodule (cases 74, 55)', () => {
    const link: CurrentFile = { bytes: bytes('/etc'), mode: '120000' };
    const services = aWorld({ link, 'sub/module': { bytes: bytes(''), mode: '160000' }, 'src/l': link });
    expect(refusals(services, write('link/passwd', 'x\n'))).toContain('link link/passwd');
    expect(refusals(services, write('sub/module/a', 'x\n'))).toContain('link sub/module/a');
    expect(refusals(services, write('src/l', 'x\n'))).toEqual(['link src/l']);
    expect(refusals(aWorld({ 'src/l': link }, { allowDeletes: true }), { kind: 'delete', path: 'src/l' })).toEqual([
      'link src/l',
    ]);
  });

  it('beside a file or folder whose name differs only in case', () => {
    const services = aWorld({ 'src/App.ts': 'x\n', 'docs/Guide/a.md': 'x\n' });
    expect(refusals(services, write('src/app.ts', 'y\n'))).toEqual(['case-twin src/app.ts']);
    expect(refusals(services, write('docs/guide/b.md', 'y\n'))).toEqual(['case-twin docs/guide/b.md']);
    expect(refusals(aWorld(), write('src/x.ts', 'a\n'), write('src/X.ts', 'b\n'))).toHaveLength(2);
    expect(refusals(aWorld({ 'src/a': '1\n', 'src/A': '2\n' }), write('src/a', '3\n'))).toEqual([]);
  });

  it('where a file would have to be a folder, or a folder a file', () => {
    const services = aWorld({ 'src/a/b.ts': 'x\n', 'src/c': 'x\n' });
    expect(refusals(services, write('src/a', 'y\n'))).toEqual(['path src/a']);
    expect(refusals(services, write('src/c/d.ts', 'y\n'))).toEqual(['path src/c/d.ts']);
    expect(refusals(aWorld(), write('src/n', 'y\n'), write('src/n/m', 'y\n'))).toEqual(['path src/n', 'path src/n/m']);
  });

  it('over a file that is not text', () => {
    const services = aWorld({
      'src/a.png': { bytes: Uint8Array.of(0x89, 0x50, 0xff), mode: '100644' },
      'src/zero': 'a\0b',
    });
    expect(refusals(services, write('src/a.png', 'x\n'), write('src/zero', 'x\n'))).toEqual([
      'not-text src/a.png',
      'not-text src/zero',
    ]);
    expect(refusals(aWorld(), write('src/a', 'x\0y\n'), write('src/b', '\ud800\n'))).toEqual([
      'not-text src/a',
      'not-text src/b',
    ]);
  });

  it('and every reason is told, not only the first', () => {
    const services = aWorld({ 'src/a.ts': lines(20) });
    expect(
      refusals(services, write('lib/x', 'x\n'), write('src/a.ts', '// ... rest unchanged\n'), write('src/ok', 'x\n')),
    ).toEqual(['scope lib/x', 'placeholder src/a.ts', 'shrunk src/a.ts']);
  });

  it('a deletion without leave, or of nothing (case 76)', () => {
    expect(refusals(aWorld({ 'src/a': 'x\n' }), { kind: 'delete', path: 'src/a' })).toEqual(['delete src/a']);
    expect(refusals(aWorld({}, { allowDeletes: true }), { kind: 'delete', path: 'src/a' })).toEqual(['path src/a']);
  });
});

describe('text that stands for text left out', () => {
  it.each([
    '// ... rest unchanged',
    '# ... existing code ...',
    '/* unchanged */',
    '<!-- rest of file -->',
    '// (same as before)',
    '[... remaining content ...]',
    '// ...',
    '  # …',
    '{/* ... existing JSX ... */}',
    '-- rest of the file unchanged',
    '... rest of the code ...',
    '// existing code here',
    ';; ... other functions remain the same',
    '# Rest of the methods are unchanged',
    '// ... (rest of the class)',
    '* ... remaining methods ...',
    '<!-- ... -->',
    '// omitted for brevity',
    '/* ... keep the rest ... */',
    '% ... previous content ...',
    '// [unchanged]',
    '# ... rest of file unchanged ...',
    '<!-- rest of the document unchanged -->',
    '// The remaining methods stay the same.',
    '// existing imports here',
    '... existing code ...',
    '# … remaining tests omitted for brevity',
  ])('%s is refused', (line) =>
    expect(refusals(aWorld(), write('src/a.ts', `x\n${line}\ny\n`))).toEqual(['placeholder src/a.ts']),
  );

  it.each([
    '<!-- rest of file -->',
    '[... remaining content ...]',
    '... rest of the document ...',
    '# ... existing code ...',
    '(rest unchanged)',
  ])('%s is refused in Markdown', (line) =>
    expect(refusals(aWorld(), write('docs/a.md', `x\n${line}\n`))).toEqual(['placeholder docs/a.md']),
  );

  it.each([
    '...',
    '    ...',
    '...rest',
    '  ...rest,',
    '{...rest}',
    '{ ...existing }',
    '(...args)',
    '[...remaining]',
    '...this.rest,',
    'def f(): ...',
    'const { a, ...rest } = b;',
    '// The rest of the arguments are passed on to the child',
    '# existing users keep their plan',
    '// unchanged since 1.0',
    "log('... rest unchanged');",
    '--remaining;',
    '#include <rest>',
    '// Wait...',
    '// remember the previous value',
    "'unchanged',",
    '// ............',
    '* the rest is handled by the caller',
    '// Same as above, but for X',
    '>>> print(1)',
    '... print(rest)',
    '# other',
  ])('%s is no such text', (line) => expect(refusals(aWorld(), write('src/a.ts', `x\n${line}\ny\n`))).toEqual([]));

  it.each(['# ...', '### Unchanged', '* unchanged', '- rest', '...', 'And so on ...'])(
    '%s is fine in Markdown',
    (line) => {
      expect(refusals(aWorld(), write('docs/a.md', `x\n${line}\n`))).toEqual([]);
    },
  );

  it('is allowed to stay where it was already', () => {
    const services = aWorld({ 'src/a.ts': 'a\n// ... rest unchanged\n' });
    expect(refusals(services, write('src/a.ts', 'b\n// ... rest unchanged\n'))).toEqual([]);
    expect(refusals(services, replace('src/a.ts', ['a\n', '# ... rest unchanged\n']))).toEqual([
      'placeholder src/a.ts',
    ]);
  });
});

describe('a file that comes back damaged', () => {
  it('may lose half of its lines and no more', () => {
    const services = aWorld({ 'src/a.txt': lines(100), 'src/short.txt': lines(9) });
    expect(refusals(services, write('src/a.txt', lines(50)))).toEqual([]);
    expect(refusals(services, write('src/a.txt', lines(49)))).toEqual(['shrunk src/a.txt']);
    expect(refusals(services, write('src/short.txt', lines(1)))).toEqual([]);
    const asked = aWorld({ 'src/a.txt': lines(100) }, { allowShrink: true });
    expect(refusals(asked, write('src/a.txt', lines(1)))).toEqual([]);
  });

  it('must not bring conflict markers', () => {
    const conflict = '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n';
    expect(refusals(aWorld(), write('src/a.txt', conflict))).toEqual(['conflict-markers src/a.txt']);
    expect(refusals(aWorld(), write('docs/a.md', 'Title\n=======\n'))).toEqual([]);
    expect(refusals(aWorld({ 'src/a.txt': conflict }), write('src/a.txt', `x\n${conflict}`))).toEqual([]);
  });
});

describe('search and replace', () => {
  const old = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n';
  const services = aWorld({ 'src/a.ts': old });

  it('replaces text that stands there exactly once', () => {
    expect(written(services, replace('src/a.ts', ['  return 2;\n', '  return 3;\n'], ['  return 1;\n', '']))).toEqual({
      'src/a.ts': 'function a() {\n}\n\nfunction b() {\n  return 3;\n}\n',
    });
  });

  it('matches whole lines only', () => {
    expect(refusals(services, replace('src/a.ts', ['return 1;\n', 'x\n']))).toEqual(['search-miss src/a.ts']);
  });

  it('shows the closest real lines when the text is not there', () => {
    expect(detail(services, replace('src/a.ts', ['function b() {\n  return 22;\n', 'x\n']))).toBe(
      'The SEARCH text is not in the file; repeat the lines exactly.\nThe closest ones are:\n5 | function b() {\n6 |   return 2;',
    );
  });

  it('shows the line that a part of it is taken from', () => {
    const line = '  print("usage: " + name + " [--module] [--help] [--] [file]")';
    const file = aWorld({ 'src/a.ts': `const modules = []\n${line}\n` });
    expect(detail(file, replace('src/a.ts', ['[--module] [--help]\n', 'x\n']))).toContain(`2 | ${line}`);
  });

  it('says so where the replacement stands there already', () => {
    expect(detail(services, replace('src/a.ts', ['  return 7;\n', '  return 2;\n']))).toBe(
      'The SEARCH text is not in the file, but the text that replaces it is; leave this block out.',
    );
  });

  it('says how often the text is there when it is not unique', () => {
    expect(detail(services, replace('src/a.ts', ['}\n', 'x\n']))).toMatch(/2 times/);
    expect(detail(aWorld({ 'src/a': 'x\nx\nx\n' }), replace('src/a', ['x\nx\n', 'y\n']))).toMatch(/2 times/);
  });

  it('tells of every block that misses, of overlaps and of empty searches', () => {
    expect(refusals(services, replace('src/a.ts', ['nope\n', 'x\n'], ['no\n', 'x\n']))).toHaveLength(2);
    expect(
      detail(services, replace('src/a.ts', ['function a() {\n  return 1;\n', ''], ['  return 1;\n', 'x\n'])),
    ).toMatch(/overlap/);
    expect(detail(services, replace('src/a.ts', ['', 'x\n']))).toMatch(/empty/);
    expect(refusals(services, replace('src/new.ts', ['a\n', 'b\n']))).toEqual(['path src/new.ts']);
  });

  it('finds any unique run of lines and changes nothing else', () => {
    const text = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), fc.constantFrom('\n', '\r\n'), (all, start, count, end) => {
        const from = start % all.length;
        const to = from + 1 + (count % (all.length - from));
        const file = aWorld({ 'src/a': all.map((line) => line + end).join('') }, { allowShrink: true });
        const search = all
          .slice(from, to)
          .map((line) => `${line}\n`)
          .join('');
        const expected = [...all.slice(0, from), 'NEW', ...all.slice(to)].map((line) => line + end).join('');
        expect(written(file, replace('src/a', [search, 'NEW\n']))).toEqual({ 'src/a': expected });
      }),
    );
  });

  it('takes its time from the size of the file, not from its shape', () => {
    const big = aWorld({ 'src/a': 'x\n'.repeat(500_000), 'src/b': 'y'.repeat(1_000_000) });
    expectEffortBelow(200, () => {
      refusals(big, replace('src/a', ['x\n'.repeat(250_000) + 'y\n', 'z\n']));
      refusals(big, replace('src/b', [`${'y'.repeat(999_999)}z\n`, 'z\n']));
      refusals(big, write('src/c', `// ${'rest '.repeat(200_000)}\n${'// the rest of the rest of\n'.repeat(40_000)}`));
    });
  });
});
