import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { EVIL, asked, ruled, type Report } from '../support/ruled.ts';

const places = ({ findings }: Report): readonly string[] =>
  findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`);

describe('andon check', () => {
  test('looks at whole files, and passes the ones that keep the rules', async () => {
    const factory = await ruled({ files: { 'src/bad.ts': `ok();\n${EVIL}`, 'src/good.ts': 'ok();\n' } });
    const bad = await factory.andon('check', '--file', 'src/bad.ts', 'src/good.ts');
    expect(bad).toMatchObject({ code: 1, stderr: '' });
    expect(bad.stdout).toContain('src/bad.ts:2');
    expect(bad.stdout).toContain('dynamic-code');
    expect(bad.stdout).toContain('not passed');
    expect(await factory.andon('check', '--file', 'src/good.ts')).toMatchObject({ code: 0 });
  });

  test('looks at the new lines of a diff, from a file or from standard input', { tags: 'thorough' }, async () => {
    const factory = await ruled();
    const diff = '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,2 +1,2 @@\n eval(old)\n-eval(gone)\n+eval(fresh)\n';
    writeFileSync(join(factory.folder, 'x.patch'), diff);
    expect(places(await asked(factory, 'check', '--diff', '../x.patch'))).toEqual(['dynamic-code src/x.ts:2']);
    const piped = (input: string): string => {
      try {
        return execFileSync(process.execPath, [inject('andon'), 'check', '--diff', '-', '--json'], {
          cwd: factory.repo,
          env: factory.env,
          input,
          stdio: 'pipe',
        }).toString();
      } catch (error) {
        return String((error as { stdout: Buffer }).stdout);
      }
    };
    expect(places(JSON.parse(piped(diff)) as Report)).toEqual(['dynamic-code src/x.ts:2']);
  });

  test.each([
    ['copied', ['cp', 'a.txt', 'a.ts']],
    ['moved', ['git', 'mv', 'a.txt', 'a.ts']],
    ['moved out of a folder that a rule leaves out', ['git', 'mv', 'test/k.ts', 'k.ts']],
  ])(
    'does not pass a diff in which a file was %s to where a rule looks',
    { tags: 'thorough' },
    async (_, [program = '', ...args]) => {
      const rules = ruleFile(
        forbids('dynamic-code', 'eval', {
          match: { on: 'added_lines', pattern: 'eval', file_patterns: ['*.ts'], exclude_patterns: ['test/**'] },
        }),
      );
      const evil = 'eval(x);\n'.repeat(5);
      const factory = await ruled({ files: { 'a.txt': evil, 'test/k.ts': evil } }, 'strict', rules);
      execFileSync(program, args, { cwd: factory.repo, env: factory.env });
      factory.git('add', '--all');
      const diff = factory.git('diff', '--cached', '-M', '-C', '--find-copies-harder');
      expect(diff).toContain('similarity index 100%');
      writeFileSync(join(factory.folder, 'x.patch'), `${diff}\n`);
      const said = await asked(factory, 'check', '--diff', '../x.patch');
      expect(said).toMatchObject({ exit: 2, findings: [{ reason: expect.stringContaining('not looked into: ') }] });
      const staged = await asked(factory, 'check', '--staged');
      expect(staged).toMatchObject({ exit: 1 });
      expect(staged.findings.flatMap(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    },
  );

  test('looks at what is staged, and not at what lies in the work tree', { tags: 'thorough' }, async () => {
    const factory = await ruled({ files: { 'src/a.ts': 'ok();\n' } });
    factory.write('src/a.ts', `ok();\n${EVIL}`);
    expect(await asked(factory, 'check', '--staged')).toMatchObject({ exit: 0, findings: [] });
    factory.git('add', '--all');
    factory.write('src/a.ts', 'ok();\n');
    const before = factory.git('status', '--porcelain');
    expect(places(await asked(factory, 'check', '--staged'))).toEqual(['dynamic-code src/a.ts:2']);
    expect(factory.git('status', '--porcelain')).toBe(before);
  });

  test('looks at a first commit that is not made yet', async () => {
    const factory = await ruled();
    factory.git('checkout', '--quiet', '--orphan', 'fresh');
    factory.write('src/a.ts', EVIL);
    factory.git('add', '--all');
    expect(places(await asked(factory, 'check', '--staged'))).toContain('dynamic-code src/a.ts:1');
  });

  test('looks at a plan in words, from a file or from a contract', { tags: 'thorough' }, async () => {
    const prose = ruleFile(
      forbids('secrets', 'x', {
        title: 'No Hardcoded Secrets',
        match: undefined,
        content: 'Never hardcode API keys, passwords, or tokens in source code.',
        checks: [{ type: 'plan' }],
      }),
    );
    const factory = await ruled({ files: { 'PLAN.md': 'Hardcode the API key in config.ts.\n' } }, 'strict', prose);
    expect(await factory.andon('check', '--plan', 'We will ensure no hardcoded secrets')).toMatchObject({ code: 0 });
    expect(await factory.andon('check', '--plan', 'Hardcode the API key in config.ts')).toMatchObject({ code: 1 });
    expect(await factory.andon('check', '--plan', 'PLAN.md')).toMatchObject({ code: 1 });
    const validated = (...args: readonly string[]) => factory.andon('validate', ...args);
    expect(await validated('--plan', 'We will ensure no hardcoded secrets')).toMatchObject({ code: 0 });
    expect(await validated('--file', 'PLAN.md')).toMatchObject({ code: 1 });
    for (const wrong of [[], ['--file', 'none.md'], ['--plan', 'x', '--file', 'PLAN.md']])
      expect(await validated(...wrong)).toMatchObject({ code: 2, stdout: '' });
    const contract = aContract({ 'specification.requirements': ['Hardcode the API key in config.ts'] });
    factory.write('contract.json', JSON.stringify(contract));
    expect(await factory.andon('check', '--contract', 'contract.json')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the contract'),
    });
  });

  test('says what cannot be checked and ends with 2', async () => {
    const factory = await ruled({ files: { 'src/a.ts': 'ok();\n' } });
    writeFileSync(join(factory.folder, 'x.patch'), 'x');
    symlinkSync('../x.patch', join(factory.repo, 'link.ts'));
    for (const [what, args] of [
      ['nothing to look at', []],
      ['a file that is not there', ['--file', 'none.ts']],
      ['a folder', ['--file', 'src']],
      ['a file outside the repository', ['--file', '../x.patch']],
      ['a link that leads outside', ['--file', 'link.ts']],
      ['a diff that is none', ['--diff', 'README.md']],
      ['a format that nobody knows', ['--file', 'src/a.ts', '--format', 'xml']],
      ['a phase that nobody knows', ['--file', 'src/a.ts', '--phase', 'LATER']],
      ['two subjects of one kind', ['--file', 'src/a.ts', '--staged']],
      ['an empty plan', ['--plan', ' ']],
      ['a contract that is no JSON', ['--contract', 'README.md']],
      ['a model that cannot be asked', ['--file', 'src/a.ts', '--llm']],
    ] as const) {
      const ended = await factory.andon('check', ...args);
      expect(ended.code, what).toBe(2);
      expect(ended.stderr).toMatch(/^andon: .+\n {7}.+\n$/);
      expect(ended.stderr).not.toContain('    at ');
    }
  });

  test('shows every step for every rule with --trace', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL } });
    const { trace = [] } = await asked(factory, 'check', '--file', 'src/a.ts', '--trace');
    expect(trace.filter(({ rule }) => rule === 'dynamic-code').map(({ step }) => step)).toEqual(['exact', 'merge']);
    expect(trace.at(-1)?.step).toBe('decide');
    expect(await asked(factory, 'check', '--file', 'src/a.ts')).not.toHaveProperty('trace');
  });

  test('writes the report into a file with --out, and text to the screen', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL } });
    const { stdout, code } = await factory.andon(
      'check',
      '--file',
      'src/a.ts',
      '--format',
      'sarif',
      '--out',
      'report.sarif',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('not passed');
    expect(JSON.parse(factory.read('report.sarif'))).toMatchObject({ version: '2.1.0' });
  });

  test(
    'suggests a stricter mode after five good runs, once, and changes nothing by itself',
    { tags: 'thorough' },
    async () => {
      const factory = await ruled({ files: { 'src/a.ts': 'ok();\n' } }, 'advisory');
      const said: boolean[] = [];
      for (let run = 0; run < 7; run += 1)
        said.push(
          (await factory.andon('check', '--file', 'src/a.ts')).stdout.includes('andon rules enforce --mode moderate'),
        );
      expect(said.map(Number).join('')).toBe('0000100');
      expect(factory.read('.andon/config.yaml')).toContain('advisory');
    },
  );
});
