import { gitPaths, checkScope, scopeRequests, scopeWarning } from '../../../../src/rules/guards/scope-guard.ts';
import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { namedFiles } from '../../../../src/rules/guards/named-files.ts';

const { scope_guard: usual } = standardMessages();
const files = (...paths: readonly string[]) => paths.map((path) => ({ path }));

describe('files that were changed', () => {
  it('as expected are in scope: by name, folder, glob, or as a test', () => {
    const expected = ['./src/a.ts', 'docs', 'lib/', 'app/**/*.css'];
    const modified = files('src/a.ts', 'docs/x/y.md', 'lib/b.js', 'app/one/two.css', 'src/a.test.ts');
    expect(checkScope(expected, modified, usual)).toEqual({ inScope: true, unexpected: [] });
  });

  it('as expected are in scope in the spelling of Windows, and in braces', () => {
    expect(checkScope(['src\\win', 'lib/{a,b}.ts'], files('src/win/a.ts', 'lib/b.ts'), usual).inScope).toBe(true);
  });

  it.each([
    [2, 'WARNING'],
    [3, 'NEEDS_REVIEW'],
  ])('beyond it are a matter of how many: %i', (count, severity) => {
    const stray = Array.from({ length: count }, (_, at) => `other/${at}.ts`);
    const checked = checkScope(['src/a.ts'], files('src/a.ts', ...stray), usual);
    expect(checked).toMatchObject({ inScope: false, unexpected: stray, severity });
    expect(scopeWarning(checked)).toBe(
      `[SYSTEM] Scope violation: modified ${stray.join(', ')} not in expected outcome`,
    );
  });

  it('and moved count once, and from where they were', () => {
    const moved = [{ path: 'src/b.ts', from: 'core/b.ts' }];
    expect(checkScope(['src'], moved, usual).unexpected).toEqual(['core/b.ts']);
    expect(checkScope(['core'], moved, usual).unexpected).toEqual(['src/b.ts']);
    expect(checkScope([], moved, usual).unexpected).toEqual(['src/b.ts']);
  });

  it.each([
    ['names', 'src/a.ts\nb c.ts\n', ['src/a.ts', 'b c.ts']],
    [
      'names with what became of them',
      'M\tsrc/a.ts\nR100\told.ts\tnew.ts\nD\tgone.ts\n',
      ['src/a.ts', 'new.ts', 'gone.ts'],
    ],
    [
      'a status',
      ' M src/a.ts\n?? new file.ts\nR  old.ts -> new.ts\n!! ignored.log\n',
      ['src/a.ts', 'new file.ts', 'new.ts'],
    ],
    ['quoted names', '?? "a\\tb.ts"\nM\t"\\355\\225\\234.ts"\n', ['a\tb.ts', '한.ts']],
    [
      'a patch',
      'diff --git a/src/a b.ts b/src/a b.ts\n--- a/src/a b.ts\n+++ b/src/a b.ts\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/x.ts b/y.ts\nsimilarity index 100%\nrename from x.ts\nrename to y.ts\n',
      ['src/a b.ts', 'y.ts'],
    ],
  ])('are read from what git prints: %s', (_, printed, paths) => {
    expect(gitPaths(printed).map(({ path }) => path)).toEqual(paths);
  });
});

describe('files that a text names', () => {
  it.each([
    ['Edit src/a.ts, then `src/a.ts` again.', ['src/a.ts']],
    ['Stay inside src/enforcement/ please', ['src/enforcement/']],
    ['Edit page.svelte and data.jsonl', ['page.svelte', 'data.jsonl']],
    ['**src/a.ts** (new), "docs/my page.md", Makefile', ['docs/my page.md', 'src/a.ts', 'Makefile']],
    ['src/**/*.css and *.md', ['src/**/*.css', '*.md']],
    ['src/auth.ts를 고치고 테스트는 tests/auth.test.ts에 쓴다', ['src/auth.ts', 'tests/auth.test.ts']],
    ['Update docs/한국어.md and docs/中文/说明.md', ['docs/한국어.md', 'docs/中文/说明.md']],
    ['src/a.ts를 고치고, 修改src/b.ts和src/c.ts', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['Change [src/a.ts] and [src/b.ts, src/[id].ts]', ['src/a.ts', 'src/b.ts', 'src/[id].ts']],
    ['Change src/a.ts. Do not touch src/b.ts.', ['src/a.ts']],
    ['Create src/a.ts and src/c.ts; do not touch README.md', ['src/a.ts', 'src/c.ts']],
    ['Create src/a.ts without touching README.md', ['src/a.ts']],
    ['Create src/a.ts, leave README.md alone', ['src/a.ts']],
    ['README.md must not be changed, but write src/a.ts', ['src/a.ts']],
    ['Create src/a.ts. src/legacy.ts must not be edited (see docs/x.md).', ['src/a.ts']],
    ['Do not touch src/a.ts, src/b.ts, and src/c.ts.', []],
    ['Never edit src/a.ts, and src/b.ts.', []],
    ['Leave src/a.ts untouched, and src/b.ts too', []],
    ['src/secret.ts: never edit it, use src/a.ts instead', []],
    ['Edit src/é.ts, ünder.ts and src/über/a.ts#L3', ['src/é.ts', 'ünder.ts', 'src/über/a.ts']],
    ['No changes to src/b.ts, src/c.ts or src/d.ts', []],
    ['The files src/b.ts, src/c.ts and src/d.ts are read-only; edit src/a.ts', ['src/a.ts']],
    ['Out of scope:\n- src/b.ts\n- src/c.ts\n\nFiles:\n- src/a.ts', ['src/a.ts']],
    ['3. MUST NOT DO:\n- Touch src/b.ts', []],
    ['Out of scope: src/b.ts, src/c.ts. In scope: src/a.ts', ['src/a.ts']],
    ['Change src/a.ts (not src/b.ts), src/c.ts (read-only) and src/d.ts', ['src/a.ts', 'src/d.ts']],
    ['Avoid touching src/b.ts; edit every file in src/ except src/c.ts', ['src/']],
    ['Do not change anything except src/a.ts', ['src/a.ts']],
    ['No changes outside src/a.ts', ['src/a.ts']],
    ['Update src/a.ts and do not change its exports', ['src/a.ts']],
    ['The header is unchanged in src/a.ts', ['src/a.ts']],
    ['src/a.ts를 수정하고 src/b.ts는 건드리지 마세요', ['src/a.ts']],
    ['Edit src/a.ts (no changes to the API) and src/b.ts (do not add a dependency).', ['src/a.ts', 'src/b.ts']],
    ['Edit src/a.ts, src/b.ts (generated, do not edit)', ['src/a.ts']],
    ['Move everything except tests from src/a.ts to src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['Avoid adding dependencies to src/a.ts', ['src/a.ts']],
    ['Must not: throw on empty input in src/a.ts', ['src/a.ts']],
    ['Must not: touch src/b.ts', []],
    ['No changes are lost when src/store.ts saves', ['src/store.ts']],
    ['No changes are allowed in src/b.ts', []],
    [
      'Update go.mod, go.sum, schema.prisma, Foo.csproj, App.xaml',
      ['go.mod', 'go.sum', 'schema.prisma', 'Foo.csproj', 'App.xaml'],
    ],
    ['Edit src/{a,b}.ts and src\\win\\a.ts', ['src/{a,b}.ts', 'src\\win\\a.ts']],
    ['Version 1.2.3 of node.js, i.e. and/or 10/12 on 2026/02/08: https://a.example/x.html', []],
  ])('are found: %s', (text, found) => {
    expect(namedFiles(text)).toEqual(found);
  });

  it.each([
    ['**SCOPE REQUEST:** src/b.ts - why', ['src/b.ts'], 'why'],
    ['1. SCOPE REQUEST: `docs/my page.md` (it says f())', ['docs/my page.md'], 'it says f()'],
    ['SCOPE REQUEST: src/b.ts.\r', ['src/b.ts'], ''],
    ['SCOPE REQUEST: src/b.ts, src/c.ts and Makefile - why', ['src/b.ts', 'src/c.ts', 'Makefile'], 'why'],
    ['SCOPE REQUEST: none', [], ''],
    ['SCOPE REQUEST: N/A', [], ''],
    ['**SCOPE REQUEST: None needed.**', [], ''],
    ['SCOPE REQUEST: <path> - <why>', [], ''],
    ['SCOPE REQUEST: src/b.ts is not needed', [], ''],
    ['범위 요청: 없음', [], ''],
    ['SCOPE REQUEST: src/__tests__, __init__.py - x', ['src/__tests__', '__init__.py'], 'x'],
    ['SCOPE REQUEST: _src/b.ts_', ['src/b.ts'], ''],
    ['SCOPE REQUEST: src/b.ts - not exported there', ['src/b.ts'], 'not exported there'],
    ['SCOPE REQUEST: src/b.ts is not covered by a test', ['src/b.ts'], 'is not covered by a test'],
    ['SCOPE REQUEST: the file src/b.ts', ['src/b.ts'], ''],
  ])('are asked for with Markdown, or not at all: %s', (said, paths, why) => {
    expect(scopeRequests(said)).toEqual(paths.map((path) => ({ path, why })));
  });

  it('are asked for beyond the scope in so many words', () => {
    const said = 'Done.\nSCOPE REQUEST: src/b.ts - its caller must change too\n범위 요청: `docs/a.md`\n';
    expect(scopeRequests(said)).toEqual([
      { path: 'src/b.ts', why: 'its caller must change too' },
      { path: 'docs/a.md', why: '' },
    ]);
  });
});
