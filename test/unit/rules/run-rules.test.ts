import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { checkRule } from '../../../src/rules/run-rules.ts';
import { formatJsonPath } from '../../../src/base/fault.ts';
import { lintChecks } from '../../../src/rules/checks/index.ts';
import { CONTEXT, aFile, aRule, aSubject } from '../../support/rules.ts';

type Match = Partial<NonNullable<Rule['match']>>;

const withMatch = (match: Match): Rule => aRule({ match: { on: 'added_lines', mode: 'forbid', ...match } });

const check = (match: Match, subject: Subject) => checkRule(withMatch(match), subject, { context: CONTEXT });

const statuses = async (match: Match, subject: Subject): Promise<readonly string[]> =>
  (await check(match, subject)).map(({ status }) => status);

describe('a rule with a pattern', () => {
  it('names file, line, column and line of what it forbids', async () => {
    const [match] = await check(
      { pattern: '\\bdef\\s+\\w*[A-Z]' },
      aSubject([aFile('src/a.py', 'x = 1\n\n  def parseData(x):\n')]),
    );
    expect(match).toMatchObject({ layer: 'exact', status: 'VIOLATED', confidence: 1 });
    expect(match?.places).toEqual([
      {
        file: 'src/a.py',
        line: 3,
        column: 3,
        excerpt: 'def parseData(x):',
        matched: expect.stringMatching(/^def parseD [0-9a-f]{64}$/),
      },
    ]);
  });

  it('counts lines as they stand in the file when only some of them are new', async () => {
    const file = aFile('a.ts', 'one\nbad\nthree\nfour\nbad\n', { added: [1, 5] });
    const [match] = await check({ pattern: 'bad' }, aSubject([file]));
    expect(match?.places.map(({ line }) => line)).toEqual([5]);
  });

  it('does not join lines that do not follow upon each other', async () => {
    const file = aFile('a.ts', 'foo(\nkept\nbar)\n', { added: [1, 3] });
    expect(await statuses({ pattern: 'foo\\([^)]*\\)' }, aSubject([file]))).toEqual(['PASS']);
    expect(
      await statuses(
        { pattern: 'foo\\([^)]*\\)' },
        aSubject([{ ...file, change: 'whole', added: aFile('a.ts', file.content ?? '').added }]),
      ),
    ).toEqual(['VIOLATED']);
  });

  it.each([
    ['src/deep/parser.py', ['*.py'], undefined, 'VIOLATED'],
    ['parser.py', ['*.py'], undefined, 'VIOLATED'],
    ['src/a.ts', ['*.{ts,js}'], undefined, 'VIOLATED'],
    ['src/a.ts', ['src/**/*.ts'], undefined, 'VIOLATED'],
    ['src/a.ts', ['lib/**'], undefined, undefined],
    ['src/a.test.ts', ['*.ts'], ['*.test.ts'], undefined],
    ['.github/a.yml', ['*.yml'], undefined, 'VIOLATED'],
    ['vendor/x/y.ts', undefined, ['vendor/'], undefined],
  ])('%s with %j without %j: %s', async (path, only, without, status) => {
    const match: Match = {
      pattern: 'bad',
      ...(only && { file_patterns: only }),
      ...(without && { exclude_patterns: without }),
    };
    expect(await statuses(match, aSubject([aFile(path, 'bad\n')]))).toEqual(status === undefined ? [] : [status]);
  });

  it('does not find itself in the file it is written in, unless it is about files of rules', async () => {
    const subject = aSubject([aFile('.andon/rules/project.yaml', 'pattern: bad\n')]);
    const checked = await checkRule(aRule({ checks: [{ type: 'regex', pattern: 'bad' }] }), subject, {
      context: CONTEXT,
    });
    expect(checked).toEqual([]);
    for (const on of ['added_lines', 'file'] as const)
      expect(await statuses({ on, pattern: 'bad' }, subject)).toEqual([]);
    expect(await statuses({ pattern: 'bad', file_patterns: ['.andon/rules/**'] }, subject)).toEqual(['VIOLATED']);
    expect(await statuses({ pattern: 'bad' }, aSubject([aFile('.andon/rules/run.sh', 'bad\n')]))).toEqual(['VIOLATED']);
  });

  it('still finds a secret in a file of rules', async () => {
    const key = ['AKIA', 'Z3MGQ7XK2LPWN4RT'].join('');
    const subject = aSubject([aFile('.andon/rules/project.yaml', `key: ${key}\n`)]);
    const found = await checkRule(aRule({ checks: [{ type: 'secrets' }] }), subject, { context: CONTEXT });
    expect(found.map(({ status }) => status)).toEqual(['VIOLATED']);
  });

  it('lets a line pass that matches what is allowed as well', async () => {
    const match: Match = {
      on: 'report',
      pattern: '\\biteration\\s*=\\s*\\d+',
      not_pattern: '\\biteration\\s*=\\s*\\d+\\s*\\+\\s*\\+',
    };
    expect(await statuses(match, aSubject([], { report: 'iteration = 12 ++' }))).toEqual(['PASS']);
    expect(await statuses(match, aSubject([], { report: 'iteration = 12 ++\niteration = 5' }))).toEqual(['VIOLATED']);
  });

  it.each([
    ['plan', { plan: 'eval it' }],
    ['contract', { contract: '{"goal": "eval it"}' }],
    ['response', { response: 'I use eval.' }],
    ['report', { report: 'eval' }],
    ['test_output', { test_output: 'eval' }],
  ] as const)('looks into the %s', async (on, prose) => {
    expect(await statuses({ on, pattern: '\\beval\\b' }, aSubject([], prose))).toEqual(['VIOLATED']);
    expect(await statuses({ on, pattern: '\\beval\\b' }, aSubject([aFile('a.ts', 'eval(x)')]))).toEqual([]);
  });

  it('looks at changed paths, and at those that are gone', async () => {
    const gone = aFile('migrations/1.sql', '', { change: 'deleted', added: [] });
    expect(await statuses({ on: 'diff_paths', pattern: '^migrations/' }, aSubject([gone]))).toEqual(['VIOLATED']);
    expect(await statuses({ on: 'diff_paths', file_patterns: ['*.sql'] }, aSubject([gone]))).toEqual(['VIOLATED']);
    expect(await statuses({ on: 'diff_paths', file_patterns: ['*.sql'] }, aSubject([aFile('a.ts', '')]))).toEqual([
      'PASS',
    ]);
  });

  it('finds what is required missing in each file that it is about', async () => {
    const required: Match = { on: 'file', mode: 'require', pattern: 'Copyright', file_patterns: ['*.ts'] };
    const [match] = await check(
      required,
      aSubject([aFile('a.ts', '// Copyright 2026'), aFile('b.ts', 'x'), aFile('c.md', 'x')]),
    );
    expect(match).toMatchObject({ status: 'VIOLATED', places: [{ file: 'b.ts' }] });
    expect(await statuses(required, aSubject([aFile('c.md', 'x')]))).toEqual([]);
  });

  it('asks for keywords alone', async () => {
    expect(await statuses({ keywords: ['TODO', 'FIXME'] }, aSubject([aFile('a.ts', '// todo: later')]))).toEqual([
      'VIOLATED',
    ]);
    expect(await statuses({ keywords: ['a+b'] }, aSubject([aFile('a.ts', 'aab')]))).toEqual(['PASS']);
  });

  it('is undecided on whole files of which only a patch is known, unless the patch says enough', async () => {
    const { content: _, ...patch } = aFile('a.ts', 'good\n');
    expect(await statuses({ on: 'file', pattern: 'bad' }, aSubject([patch]))).toEqual(['UNDECIDED']);
    const { content: __, ...bad } = aFile('a.ts', 'bad\n');
    expect(await statuses({ on: 'file', pattern: 'bad' }, aSubject([bad]))).toEqual(['VIOLATED']);
  });

  it.each([
    ['into its files', 'a.txt', { file_patterns: ['*.ts'] }, ['VIOLATED']],
    ['out of what it leaves out', 'test/a.ts', { exclude_patterns: ['test/**'] }, ['VIOLATED']],
    ['out of the files of rules', '.andon/rules/a.yaml', {}, ['VIOLATED']],
    ['within its files', 'b.ts', { file_patterns: ['*.ts'] }, ['PASS']],
  ])('looks at every line of a file that was moved %s, or else at its new lines', async (_, from, choice, expected) => {
    const moved = aFile('a.ts', 'bad\nkept\nnew', { change: 'moved', from, added: [3] });
    const match: Match = { pattern: 'bad', ...choice };
    expect(await statuses(match, aSubject([{ ...moved, all: aFile('a.ts', 'bad\nkept\nnew').added }]))).toEqual(
      expected,
    );
  });

  it.each([
    ['added_lines', 'a.txt', ['ERROR']],
    ['added_lines', 'b.ts', []],
    ['file', 'b.ts', ['ERROR']],
  ] as const)('on %s is not kept by a file moved from %s of which no line is known: %j', async (on, from, expected) => {
    const { content: _, ...moved } = aFile('a.ts', '', { change: 'moved', from, added: [] });
    expect(await statuses({ on, pattern: 'bad', file_patterns: ['*.ts'] }, aSubject([moved]))).toEqual(expected);
    expect(await statuses({ on, pattern: 'bad', file_patterns: ['*.py'] }, aSubject([moved]))).toEqual([]);
  });

  it('is not kept by a file moved to where it looks of which a patch shows only the edited lines', async () => {
    const { content: _, ...moved } = aFile('a.ts', 'kept\nnew', { change: 'moved', from: 'a.txt', added: [2] });
    expect(await statuses({ pattern: 'bad', file_patterns: ['*.ts'] }, aSubject([moved]))).toEqual(['PASS', 'ERROR']);
    expect(await statuses({ pattern: 'bad' }, aSubject([moved]))).toEqual(['PASS']);
  });

  it('knows that a moved file was no source text to a check of imports before', async () => {
    const moved = aFile('a.ts', 'import "lodash"', { change: 'moved', from: 'a.txt', added: [] });
    const rule = aRule({ checks: [{ type: 'forbidden_import', modules: ['lodash'] }] });
    const whole = { ...moved, all: aFile('a.ts', 'import "lodash"').added };
    const { content: _, ...patch } = moved;
    for (const [file, status] of [[whole, 'VIOLATED'] as const, [patch, 'ERROR'] as const])
      expect(await checkRule(rule, aSubject([file]), { context: CONTEXT })).toMatchObject([{ status }]);
  });

  it('is undecided on whole files of which a patch shows only that they changed', async () => {
    const { content: _, ...patch } = aFile('a.ts', '', { added: [] });
    expect(await statuses({ on: 'file', pattern: 'bad' }, aSubject([patch]))).toEqual(['UNDECIDED']);
  });

  it('reads lines that end in the way of Windows', async () => {
    expect(await statuses({ on: 'file', pattern: 'a$' }, aSubject([aFile('a.txt', 'a\r\nb\r\n')]))).toEqual([
      'VIOLATED',
    ]);
    expect(await statuses({ pattern: 'a$' }, aSubject([aFile('a.txt', 'a\r\nb\r\n')]))).toEqual(['VIOLATED']);
  });

  it('is an error, never a pass, where it cannot be run', async () => {
    expect(await statuses({ pattern: '(?!a)b' }, aSubject([aFile('a.ts', 'b')]))).toEqual(['ERROR']);
    const long = aFile('a.ts', `${'a'.repeat(1_200_000)}\nbad`);
    expect(await statuses({ pattern: '[b]ad' }, aSubject([long]))).toEqual(['ERROR']);
  });

  it('shows a place without the secrets that stand there', async () => {
    const secret = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const [match] = await check({ pattern: 'const' }, aSubject([aFile('a.ts', `const token = '${secret}';`)]));
    expect(match?.places[0]?.excerpt).toContain('const token');
    expect(JSON.stringify(match?.places.map(({ excerpt }) => excerpt))).not.toContain(secret.slice(4, 14));
  });
});

describe('the checks of a rule', () => {
  it('are an error where nobody knows them or they are set up wrongly', async () => {
    for (const one of [
      { type: 'magic' },
      { type: 'metric' },
      { type: 'diff_evidence', when: '*.ts' },
      { type: 'regex', pattern: '(' },
    ]) {
      const matches = await checkRule(aRule({ checks: [one] }), aSubject([aFile('a.ts', 'x')]), { context: CONTEXT });
      expect(matches.map(({ status }) => status)).toEqual(['ERROR']);
    }
  });

  it('are an error when they throw', async () => {
    const subject = aSubject([aFile('a.ts', 'x')]);
    const broken = new Proxy(subject, {
      get: () => {
        throw new Error('out of order');
      },
    });
    const matches = await checkRule(aRule({ checks: [{ type: 'scope', allowed_paths: ['src/'] }] }), broken, {
      context: CONTEXT,
    });
    expect(matches).toMatchObject([{ status: 'ERROR', reason: 'the check failed: out of order' }]);
  });

  it('are looked at before they run, with the place of each fault', () => {
    const rule = aRule({
      match: { on: 'added_lines', mode: 'forbid', pattern: '(?=a)', file_patterns: ['../x'] },
      checks: [{ type: 'plann' }, { type: 'metric', metric: 'beauty', max: 'many' }, { type: 'file-exists' }],
    });
    expect(lintChecks(rule).map(({ path }) => formatJsonPath(path))).toEqual([
      '$.match.pattern',
      '$.match.file_patterns[0]',
      '$.checks[0].type',
      '$.checks[1].metric',
      '$.checks[1].max',
      '$.checks[1].max',
      '$.checks[2].path',
    ]);
  });
});
