import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory, type Factory, type Options } from '../support/factory.ts';
import { THREE_RULES } from '../support/rule-files.ts';

const EVIL = 'export const a = eval("1");\n';

/** A repository with rules, on a branch of its own. */
async function onBranch(mode = 'strict', { files = {}, ...rest }: Options = {}): Promise<Factory> {
  const factory = await aFactory({
    files: { '.andon/rules/app.yaml': THREE_RULES, ...files },
    projectConfig: { enforcement: { mode } },
    ...rest,
  });
  factory.git('checkout', '--quiet', '-b', 'feature');
  return factory;
}

function commit(factory: Factory, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) factory.write(path, text);
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=A change');
}

interface Report {
  readonly exit: number;
  readonly subject: string;
  readonly findings: readonly { readonly rule: string; readonly file: string; readonly line: number }[];
  readonly warnings: readonly string[];
  readonly because: readonly string[];
}

async function report(factory: Factory, ...args: readonly string[]): Promise<Report> {
  const ended = await factory.andon('ci', ...args, '--format', 'json');
  if (ended.stdout === '') throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as Report;
}

const places = ({ findings }: Report): readonly string[] => findings.map(({ file, line }) => `${file}:${line}`);

describe('andon ci', () => {
  test('looks at what the branch changed since it left main, not at what main did since', async () => {
    const factory = await onBranch();
    commit(factory, { 'a.ts': `ok();\n${EVIL}` });
    factory.git('checkout', '--quiet', 'main');
    commit(factory, { 'b.ts': EVIL });
    factory.git('checkout', '--quiet', 'feature');
    const said = await report(factory);
    expect(places(said)).toEqual(['a.ts:2']);
    expect(said.subject).toBe('the change since main (1 file)');
  });

  test('counts new lines only: old and removed ones do not gate', { tags: 'thorough' }, async () => {
    const factory = await onBranch('strict', { files: { 'old.ts': `${EVIL}eval(2);\nok();\n` } });
    commit(factory, { 'old.ts': `${EVIL}ok();\nfine();\n` });
    expect(await report(factory)).toMatchObject({ exit: 0, findings: [] });
  });

  test(
    'prefers origin/main to main unless main is named, takes another base, and says what to fetch where there is none',
    { tags: 'thorough' },
    async () => {
      const factory = await onBranch();
      factory.git('update-ref', 'refs/remotes/origin/main', 'main');
      commit(factory, { 'unpushed.ts': 'ok();\n' });
      factory.git('branch', '--force', 'main');
      commit(factory, { 'a.ts': EVIL });
      const since = async (...args: readonly string[]) => (await report(factory, ...args)).subject;
      expect(await since()).toBe('the change since origin/main (2 files)');
      expect(await since('--base', 'main')).toBe('the change since main (1 file)');
      expect(await since('--base', 'origin/main')).toBe('the change since origin/main (2 files)');
      factory.git('checkout', '--quiet', 'main');
      expect(await since('--base', 'main')).toBe('the change since origin/main, because main is checked out (1 file)');
      factory.git('checkout', '--quiet', 'feature');
      factory.git('branch', '--delete', '--force', 'main');
      expect(await since('--base', 'main')).toBe(
        'the change since origin/main, because there is no branch main here (2 files)',
      );
      factory.git('branch', 'develop', 'HEAD');
      expect(await report(factory, '--base', 'develop')).toMatchObject({ exit: 0, findings: [] });
      const none = await factory.andon('ci', '--base', 'nowhere');
      expect(none.code).toBe(2);
      expect(none.stderr).toContain('git fetch origin nowhere:refs/remotes/origin/nowhere');
    },
  );

  test('refuses a base that is no name', async () => {
    const factory = await onBranch();
    for (const base of ['x; rm -rf .', '--output=x', '$(id)', 'a..b', 'x`id`', '-x', '']) {
      const ended = await factory.andon('ci', `--base=${base}`);
      expect(ended.code, base).toBe(2);
    }
  });

  test('on a shallow clone says what to fetch', { tags: 'thorough' }, async () => {
    const factory = await onBranch();
    commit(factory, { 'a.ts': EVIL });
    factory.git('checkout', '--quiet', 'main');
    commit(factory, { 'b.ts': 'ok();\n' });
    const clone = join(factory.folder, 'clone');
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', args, { cwd: factory.folder, env: factory.env, stdio: 'pipe' });
    git('clone', '--quiet', '--depth=1', '--branch=feature', `file://${factory.repo}`, clone);
    expect(await factory.andonIn(clone, 'ci')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--unshallow'),
    });
    git('-C', clone, 'fetch', '--quiet', '--depth=1', 'origin', 'main:refs/remotes/origin/main');
    const shallow = await factory.andonIn(clone, 'ci');
    expect(shallow).toMatchObject({ code: 2, stderr: expect.stringContaining('git fetch --unshallow') });
    git('-C', clone, 'fetch', '--quiet', '--unshallow', 'origin');
    expect((await factory.andonIn(clone, 'ci')).code).toBe(1);
  });

  test(
    'knows moved files, names outside ASCII, CRLF, binary files and changes of mode',
    { tags: 'thorough' },
    async () => {
      const factory = await onBranch('strict', {
        files: { 'alt.ts': `one\n${'line\n'.repeat(20)}`, 'run.ts': 'ok();\n' },
      });
      factory.git('mv', 'alt.ts', 'neu.ts');
      commit(factory, {
        'neu.ts': `one\n${'line\n'.repeat(20)}eval(moved);\n`,
        'src/é ü/한글.ts': EVIL,
        'crlf.ts': 'ok();\r\neval(crlf);\r\n',
        'picture.ts': `\0\u0001eval(binary)\n`,
      });
      factory.git('update-index', '--chmod=+x', 'run.ts');
      factory.git('commit', '--quiet', '--message=Mode');
      const said = await report(factory);
      expect(places(said).toSorted()).toEqual(['crlf.ts:2', 'neu.ts:22', 'picture.ts:1', 'src/é ü/한글.ts:1']);
    },
  );

  test('is not blinded by what the repository configures', { tags: 'thorough' }, async () => {
    const factory = await onBranch();
    const touched = join(factory.folder, 'touched');
    commit(factory, { '.gitattributes': '*.ts -diff\n*.ts diff=evil\n*.ts binary\n', 'a.ts': EVIL });
    factory.write('b.ts', EVIL);
    factory.git('add', '--all');
    factory.git('config', 'diff.evil.textconv', `touch ${touched}; cat /dev/null;`);
    factory.git('config', 'diff.evil.command', `touch ${touched};`);
    factory.git('config', 'diff.external', `touch ${touched};`);
    factory.git('config', 'core.fsmonitor', `touch ${touched};`);
    factory.git('config', 'diff.noprefix', 'true');
    expect(places(await report(factory))).toEqual(['a.ts:1']);
    expect((await factory.andon('check', '--staged')).stdout).toContain('b.ts:1');
    expect(execFileSync('ls', [factory.folder]).toString()).not.toContain('touched');
  });

  test('works in a linked worktree, and with HEAD detached as CI has it', { tags: 'thorough' }, async () => {
    const factory = await onBranch();
    commit(factory, { 'a.ts': EVIL });
    factory.git('checkout', '--quiet', '--detach');
    expect(places(await report(factory))).toEqual(['a.ts:1']);
    const tree = join(factory.folder, 'tree');
    factory.git('worktree', 'add', '--quiet', '-b', 'other', tree, 'main');
    const ended = await factory.andonIn(tree, 'ci', '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ exit: 0, findings: [] });
  });

  test('with a configuration that cannot be read ends with 2 and never silently becomes advisory', async () => {
    const factory = await onBranch();
    commit(factory, { 'a.ts': EVIL, '.rulebound/config.json': '{bad' });
    expect(await factory.andon('ci')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('.rulebound/config.json'),
    });
  });

  test('says when a change also changes the rules it is held against', { tags: 'thorough' }, async () => {
    const factory = await onBranch();
    commit(factory, {
      '.andon/waivers.yaml': '- { rule: dynamic-code, reason: r, owner: o, expires: 2999-01-01 }\n',
      'a.ts': EVIL,
    });
    const said = await report(factory);
    expect(said.exit).toBe(1);
    expect(said.because).toEqual([
      expect.stringMatching(/^by the version where the branch began \(\w{7}\): 1 MUST rule is violated: dynamic-code$/),
      expect.stringMatching(/^by the version where the branch began \(\w{7}\): the score 50 is below/),
    ]);
    expect(said.warnings.join()).toMatch(
      /this change also changes its own rules: \.andon\/waivers\.yaml; both versions count: the version where the branch began \([0-9a-f]{7}\) does not pass it with 1 finding, the version of HEAD passes it with no finding/,
    );
  });
});
