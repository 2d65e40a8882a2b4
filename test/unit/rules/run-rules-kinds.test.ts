import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../src/rules/model/inspection.ts';
import type { RuleCheck } from '../../../src/rules/model/rule.ts';
import { checkRule } from '../../../src/rules/run-rules.ts';
import { CONTEXT, aFile, aRule, aRuleWith, aSubject } from '../../support/rules.ts';

async function ask(check: RuleCheck, subject: Subject) {
  const matches = await checkRule(aRuleWith(check), subject, { context: CONTEXT });
  return matches.map(({ status, places }) =>
    [status, ...places.map(({ file, line }) => `${file ?? ''}${line === undefined ? '' : `:${line}`}`)].join(' '),
  );
}

describe('diff_evidence', () => {
  const sources = { type: 'diff_evidence', when: 'packages/*/src/**', require: 'packages/*/test/**' };
  const reasons = async (settings: RuleCheck, ...paths: readonly string[]) => {
    const subject = aSubject(paths.map((path) => aFile(path, 'x')));
    return (await checkRule(aRuleWith(settings), subject, { context: CONTEXT })).map(({ reason }) => reason);
  };

  it('names no other file in the row of a file', async () => {
    const paths = ['packages/a/src/a.js', 'packages/b/src/b.js'];
    expect(await ask(sources, aSubject(paths.map((path) => aFile(path, 'x'))))).toEqual([
      `VIOLATED ${paths.join(' ')}`,
    ]);
    expect(await reasons(sources, ...paths)).toEqual(['it changed, but nothing that matches packages/*/test/**']);
  });

  it('looks with `per` in the same folder only', async () => {
    const per = { ...sources, per: 'packages/*' };
    const changed = ['packages/a/src/a.js', 'packages/a/test/a.js', 'packages/b/src/b.js', 'packages/c/src/c.js'];
    expect(await reasons(sources, ...changed)).toEqual(['packages/*/test/** changed as well']);
    expect(await reasons(per, ...changed.slice(0, 2))).toEqual(['packages/*/test/** changed as well']);
    expect(await reasons(per, ...changed)).toEqual([
      'it changed, but nothing in packages/b that matches packages/*/test/**',
      'it changed, but nothing in packages/c that matches packages/*/test/**',
    ]);
  });
});

describe('file_presence', () => {
  it.each([
    [{ path: 'LICENSE' }, ['LICENSE', 'a.ts'], ['PASS']],
    [{ path: 'LICENSE' }, ['vendor/LICENSE'], ['VIOLATED ']],
    [{ paths: ['docs/*.md', 'LICENSE'] }, ['docs/a.md', 'LICENSE'], ['PASS']],
    [{ paths: ['docs/*.md', 'LICENSE'] }, [], ['VIOLATED ', 'VIOLATED ']],
    [{ path: '*.pem', mode: 'forbid' }, ['keys/a.pem'], ['VIOLATED keys/a.pem']],
    [{ path: '*.pem', mode: 'forbid' }, ['a.ts'], ['PASS']],
  ])('%j in a project of %j: %j', async (settings, project, expected) => {
    expect(await ask({ type: 'file-exists', ...settings }, aSubject([], { project }))).toEqual(expected);
  });

  it('is undecided where the project is not known, and counts what the change itself brings', async () => {
    expect(await ask({ type: 'file_presence', path: 'LICENSE' }, aSubject([]))).toEqual(['UNDECIDED']);
    expect(await ask({ type: 'file_presence', path: 'LICENSE' }, aSubject([], { response: 'It rains' }))).toEqual([]);
    expect(
      await ask({ type: 'file_presence', path: 'LICENSE' }, aSubject([aFile('LICENSE', 'MIT')], { project: [] })),
    ).toEqual(['PASS']);
    const gone = aFile('LICENSE', '', { change: 'deleted', added: [] });
    expect(await ask({ type: 'file_presence', path: 'LICENSE' }, aSubject([gone], { project: ['LICENSE'] }))).toEqual([
      'VIOLATED ',
    ]);
  });
});

describe('forbidden_import', () => {
  const check = {
    type: 'forbidden_import',
    modules: [
      'lodash',
      '@old/*',
      'os.path',
      'github.com/pkg/errors',
      'requests',
      'fs',
      'java.util.*',
      'org.json.JSONObject',
      'libc',
      'Old\\Api',
      './legacy.sh',
    ],
  };

  it.each([
    ['a.ts', "import map from 'lodash/map';"],
    ['a.ts', "import {\n  one,\n} from '@old/thing';"],
    ['a.js', "const _ = require('lodash');"],
    ['a.py', 'import json, requests as r'],
    ['a.py', 'from os import path'],
    ['a.ts', "import map from /* as always */ 'lodash';"],
    ['a.js', "const load = require;\nload('lodash');"],
    ['a.vue', "<script>\nimport map from 'lodash';\n</script>"],
    ['a.go', 'import (\n\t"fmt"\n\terr "github.com/pkg/errors"\n)'],
    ['a.ts', "import { readFile } from 'node:fs/promises';"],
    ['A.java', 'import java.util.*;'],
    ['a.rs', 'use libc::c_int;'],
    ['a.php', '<?php\nuse Old\\{Api, New};'],
    ['a.sh', 'source ./legacy.sh'],
  ])('finds it in %s: %s', async (path, text) => {
    expect((await ask(check, aSubject([aFile(path, text)])))[0]).toMatch(/^VIOLATED /);
  });

  it.each([
    ['a.ts', "import map from 'lodash-es';"],
    ['a.ts', "// import map from 'lodash';"],
    ['a.ts', "const name = 'lodash';"],
    ['a.py', 'from os import getcwd'],
    ['a.go', 'log.Println("github.com/pkg/errors is gone")'],
  ])('lets %s pass: %s', async (path, text) => {
    expect(await ask(check, aSubject([aFile(path, text)]))).toEqual(['PASS']);
  });

  it.each([
    ['A.kt', 'import org.json.JSONObject', 'its language has no grammar'],
    ['a.fsx', '#load "org.json.JSONObject"', 'its language has no grammar'],
    ['A.java', 'import org.json.*;\nJSONObject o;', 'it imports all of a package'],
    ['a.sh', '. "$ROOT/./legacy.sh"', 'the path is computed'],
  ])('is not sure of %s with %j, because %s', async (path, text) => {
    expect(await ask(check, aSubject([aFile(path, text)]))).toEqual(['UNDECIDED']);
  });

  it.each([
    ['node:*', 'a.ts', "import map from 'lodash';"],
    ['fs', 'a.js', "require(offset + '/x')"],
  ])('of %s lets %s pass: %s', async (module, path, text) => {
    const one = { ...check, modules: [module] };
    expect(await ask(one, aSubject([aFile(path, text)]))).toEqual(['PASS']);
  });

  it.each([
    ['fs', 'A.kt', 'import com.example.offset.Refs'],
    ['requests', 'a.lua', '-- use the queue for requests'],
  ])('of %s has nothing to say about %s: %s', async (module, path, text) => {
    expect(await ask({ ...check, modules: [module] }, aSubject([aFile(path, text)]))).toEqual([]);
  });

  it('has nothing to say about other languages', async () => {
    expect(await ask(check, aSubject([aFile('a.md', "import 'lodash'")]))).toEqual([]);
  });
});

describe('forbidden_import of a patch whose files are not known', () => {
  const check = { type: 'forbidden_import', modules: ['lodash'] };
  const fragment = (text: string) => {
    const { content: _, ...file } = aFile('a.ts', text);
    return aSubject([file]);
  };

  it('finds a whole import', async () => {
    expect(await ask(check, fragment("import 'lodash';"))).toEqual(['VIOLATED a.ts:1']);
  });

  it('is not sure where the end of an import may be all that was added', async () => {
    expect(await ask(check, fragment("} from 'lodash';"))).toEqual(['UNDECIDED']);
  });

  it('passes where no forbidden module is named', async () => {
    expect(await ask(check, fragment("} from 'ramda';"))).toEqual(['PASS']);
  });
});

describe('syntax', () => {
  const queries = {
    javascript: `
      ((call_expression function: [
        (member_expression object: (identifier) @object)
        (subscript_expression object: (identifier) @object)
      ]) @match (#eq? @object "console"))`,
    python: '((call function: (identifier) @name) @match (#eq? @name "print"))',
  };
  const syntax = { type: 'syntax', queries };

  it.each([
    ['a.js', "console['log'](1);", ['VIOLATED a.js:1']],
    ['a.js', "// console.log(1)\nconst text = 'console.log(1)';", ['PASS']],
    ['a.py', "x = 'print(1)'\nprint(x)", ['VIOLATED a.py:2']],
    ['a.ts', 'console.log(1);', []],
    ['a.zig', 'console.log(1);', []],
  ])('asks the query of the language of %s: %j', async (path, text, expected) => {
    expect(await ask(syntax, aSubject([aFile(path, text)]))).toEqual(expected);
  });

  it('looks only at added lines, unless whole files are meant', async () => {
    const file = aFile('a.js', 'console.log(1);\nx();', { added: [2] });
    expect(await ask(syntax, aSubject([file]))).toEqual(['PASS']);
    expect(await ask({ ...syntax, on: 'file' }, aSubject([file]))).toEqual(['VIOLATED a.js:1']);
  });

  it('is undecided where only a patch is known', async () => {
    const { content: _, ...patch } = aFile('a.js', 'console.log(1);');
    expect(await ask(syntax, aSubject([patch]))).toEqual(['UNDECIDED']);
  });

  it.each([
    ['no query', undefined],
    ['an unknown language', { zig: '(x)' }],
    ['a regular expression', { javascript: '((identifier) @x (#match? @x "^a"))' }],
    ['a query that the grammar refuses', { javascript: '(no_such_node) @x' }],
  ])('is an error with %s', async (_, wrong) => {
    const file = aFile('a.js', 'x;');
    expect(await ask({ type: 'syntax', queries: wrong }, aSubject([file]))).toEqual(['ERROR']);
  });
});

describe('metric', () => {
  const body = (lines: number, indent: string, statement: string): string =>
    Array.from({ length: lines }, () => `${indent}${statement}`).join('\n');
  const languages: readonly (readonly [string, (lines: number) => string])[] = [
    ['a.ts', (lines) => `export function f(): void {\n${body(lines - 2, '  ', "call('}');")}\n}\n`],
    ['a.js', (lines) => `const f = async ({ a, b }) => {\n${body(lines - 2, '  ', 'call(`{`); // {')}\n};\n`],
    [
      'a.py',
      (lines) =>
        `class A:\n    def f(\n        self,\n    ):\n        """Says { and\n\n  more."""\n${body(lines - 6, '        ', 'x = 1')}\n\n\nprint(1)\n`,
    ],
  ];

  it.each(languages)('lets a function of 50 lines pass and finds one of 51 in %s', async (path, source) => {
    const check = { type: 'metric', metric: 'function_lines', max: 50 };
    expect(await ask(check, aSubject([aFile(path, source(50))]))).toEqual(['PASS']);
    expect(await ask(check, aSubject([aFile(path, source(51))]))).toHaveLength(1);
    expect((await ask(check, aSubject([aFile(path, source(51))])))[0]).toMatch(/^VIOLATED /);
  });

  it('looks only at functions that the change touches, unless whole files are meant', async () => {
    const long = `function f() {\n${body(60, '  ', 'x();')}\n}\nconst y = 1;\n`;
    const check = { type: 'metric', max: 50 };
    expect(await ask(check, aSubject([aFile('a.ts', long, { added: [63] })]))).toEqual(['PASS']);
    expect(await ask({ ...check, on: 'file' }, aSubject([aFile('a.ts', long, { added: [63] })]))).toEqual([
      'VIOLATED a.ts:1',
    ]);
  });

  it('is meant by the metric_threshold of the seed', async () => {
    const rule = aRule({ metadata: { metric_threshold: 50 } });
    const long = `function f() {\n${body(49, '  ', 'x();')}\n}\n`;
    const matches = await checkRule(rule, aSubject([aFile('a.ts', long)]), { context: CONTEXT });
    expect(matches).toMatchObject([{ status: 'VIOLATED', places: [{ file: 'a.ts', line: 1 }] }]);
  });

  it('counts the lines of files and the depth of blocks', async () => {
    expect(await ask({ type: 'metric', metric: 'file_lines', max: 2 }, aSubject([aFile('a.md', 'a\nb\n')]))).toEqual([
      'PASS',
    ]);
    expect(await ask({ type: 'metric', metric: 'file_lines', max: 2 }, aSubject([aFile('a.md', 'a\nb\nc\n')]))).toEqual(
      ['VIOLATED a.md'],
    );
    const deep = 'function f() {\n  if (a) {\n    for (;;) {\n      while (b) { c(); }\n    }\n  }\n}\n';
    const python =
      'def f():\n    if a:\n        for b in c:\n            while d:\n                e()\n    return 1\n';
    for (const [path, text] of [
      ['a.ts', deep],
      ['a.py', python],
    ] as const) {
      expect(await ask({ type: 'metric', metric: 'nesting_depth', max: 3 }, aSubject([aFile(path, text)]))).toEqual([
        'PASS',
      ]);
      expect(await ask({ type: 'metric', metric: 'nesting_depth', max: 2 }, aSubject([aFile(path, text)]))).toEqual([
        `VIOLATED ${path}:1`,
      ]);
    }
  });

  it('counts the new lines of a whole change, but not of whole files', async () => {
    const check = { type: 'metric', metric: 'change_lines', max: 3 };
    const files = [aFile('a.ts', 'a\nb'), aFile('b.md', 'c\nd')];
    expect(await ask(check, aSubject(files))).toEqual(['VIOLATED ']);
    expect(await ask({ ...check, max: 4 }, aSubject(files))).toEqual(['PASS']);
    expect(await ask({ ...check, file_patterns: ['*.ts'] }, aSubject(files))).toEqual(['PASS']);
    expect(await ask(check, aSubject(files.map((file) => ({ ...file, change: 'whole' }))))).toEqual([]);
  });

  it('is undecided where only a patch is known, and silent about other languages', async () => {
    const { content: _, ...patch } = aFile('a.ts', 'x');
    expect(await ask({ type: 'metric', max: 5 }, aSubject([patch]))).toEqual(['UNDECIDED']);
    expect(await ask({ type: 'metric', max: 5 }, aSubject([aFile('a.md', 'x')]))).toEqual([]);
  });
});

describe('scope', () => {
  it('finds changes outside the allowed paths and within the forbidden ones, on both sides of a move', async () => {
    const check = { type: 'scope', allowed_paths: ['src/'], forbidden_paths: ['src/vendor/'] };
    expect(await ask(check, aSubject([aFile('src/a.ts', 'x')]))).toEqual(['PASS']);
    expect(await ask(check, aSubject([aFile('docs/a.md', 'x')]))).toEqual(['VIOLATED docs/a.md']);
    expect(await ask(check, aSubject([aFile('src/vendor/a.ts', 'x')]))).toEqual(['VIOLATED src/vendor/a.ts']);
    expect(await ask(check, aSubject([aFile('src/a.ts', 'x', { change: 'moved', from: 'lib/a.ts' })]))).toEqual([
      'VIOLATED lib/a.ts',
    ]);
    expect(await ask(check, aSubject([]))).toEqual([]);
  });
});

describe('command', () => {
  const check = { type: 'command', run: 'npm test', timeout_ms: 200 };

  it('is not run, which is no pass, and says where it belongs', async () => {
    const matches = await checkRule(aRuleWith(check), aSubject([]), { context: CONTEXT });
    expect(matches).toMatchObject([{ status: 'ERROR', reason: expect.stringContaining('make it a gate') }]);
  });
});

describe('secrets', () => {
  const reasons = async (...files: Parameters<typeof aFile>[]): Promise<readonly string[]> => {
    const subject = aSubject(files.map((file) => aFile(...file)));
    const matches = await checkRule(aRuleWith({ type: 'secrets' }), subject, { context: CONTEXT });
    return matches.map(({ reason }) => reason);
  };

  it('says of a file that is too large that it is, and of small ones together that they are too much', async () => {
    expect(await reasons(['a.ts', 'x'.repeat(1_000_001)])).toEqual([expect.stringContaining('it is too large: a.ts')]);
    const many = Array.from({ length: 70 }, (_, at): [string, string] => [
      `${at}.ts`,
      `${'x'.repeat(199)}\n`.repeat(1000),
    ]);
    const [said] = await reasons(...many);
    expect(said).toMatch(/the change is too large to check; make it in parts: \d+\.ts/);
    expect(said).not.toContain('it is too large');
  });
});
