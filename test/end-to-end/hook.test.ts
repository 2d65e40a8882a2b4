import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';
import { THREE_RULES, forbids, ruleFile } from '../support/rule-files.ts';

const LINE = 'npx --no andon check --staged';
const EVIL = 'export const a = eval("1");\n';

const ruled = (mode = 'strict'): Promise<Factory> =>
  aFactory({ files: { '.andon/rules/app.yaml': THREE_RULES }, projectConfig: { enforcement: { mode } } });

/** A commit as a user makes it; undefined when it went through, else what was said. */
function commit(factory: Factory, cwd = factory.repo, ...args: readonly string[]): string | undefined {
  const { status, stderr, stdout } = spawnSync('git', ['commit', '--quiet', '--message=A change', ...args], {
    cwd,
    env: factory.env,
  });
  return status === 0 ? undefined : `${stdout.toString()}${stderr.toString()}`;
}

/** Installs the hook and lets it start the program that was built for these tests, which takes a third of the time. */
async function installed(factory: Factory, cwd = factory.repo): Promise<void> {
  const { stdout } = await factory.andonIn(cwd, 'hook', 'install', '--json');
  const { file } = JSON.parse(stdout) as { file: string };
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^andon='.*'$/m, `andon='${inject('andon')}'`));
}

function stage(factory: Factory, path: string, text: string): void {
  factory.write(path, text);
  factory.git('add', '--all');
}

describe('the hook', () => {
  test('stops a commit that violates a rule in strict mode, and lets a good one through', async () => {
    const factory = await ruled();
    expect(await factory.andon('hook', 'install')).toMatchObject({ code: 0 });
    stage(factory, 'a.ts', EVIL);
    expect(commit(factory)).toContain('a.ts:1');
    await installed(factory);
    stage(factory, 'a.ts', 'ok();\n');
    expect(commit(factory)).toBeUndefined();
  });

  test(
    'looks at what is staged, not at the work tree, also for commits of some files only',
    { tags: 'thorough' },
    async () => {
      const factory = await ruled();
      await installed(factory);
      stage(factory, 'a.ts', 'ok();\n');
      factory.write('a.ts', EVIL);
      expect(commit(factory)).toBeUndefined();
      expect(commit(factory, factory.repo, '--all')).toContain('a.ts:1');
      factory.write('a.ts', 'ok(2);\n');
      stage(factory, 'b.ts', EVIL);
      expect(commit(factory, factory.repo, '--only', 'a.ts')).toBeUndefined();
      expect(commit(factory)).toContain('b.ts:1');
    },
  );

  test('starts git four times for one staged line', async () => {
    const factory = await ruled();
    stage(factory, 'a.ts', 'ok();\n');
    await factory.andon('check', '--staged'); // makes the vault
    const counted = join(factory.folder, 'counted');
    const bin = join(factory.folder, 'bin');
    mkdirSync(bin);
    const path = factory.env['PATH'] ?? '';
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho once >>'${counted}'\nPATH='${path}' exec git "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    factory.env['PATH'] = `${bin}:${path}`;
    expect(await factory.andon('check', '--staged')).toMatchObject({ code: 0 });
    expect(readFileSync(counted, 'utf8')).toBe('once\n'.repeat(4));
  });

  test('runs a hook that was there first, and remove restores that one exactly', { tags: 'thorough' }, async () => {
    const factory = await ruled();
    const file = join(factory.repo, '.git/hooks/pre-commit');
    const theirs = `#!/bin/sh\necho theirs >> ran\n[ ! -e veto ] || exit 7\n`;
    mkdirSync(join(factory.repo, '.git/hooks'), { recursive: true });
    writeFileSync(file, theirs);
    chmodSync(file, 0o750);
    expect((await factory.andon('hook', 'install')).stdout).toContain('runs first');
    expect((await factory.andon('hook', 'install')).stdout).toContain('in place already');
    stage(factory, 'a.ts', 'ok();\n');
    expect(commit(factory)).toBeUndefined();
    expect(factory.read('ran')).toBe('theirs\n');
    factory.write('veto', '');
    stage(factory, 'b.ts', 'ok();\n');
    expect(commit(factory)).toBeDefined();
    expect((await factory.andon('hook', 'remove')).stdout).toContain('what it was before');
    expect(readFileSync(file, 'utf8')).toBe(theirs);
    expect(lstatSync(file).mode & 0o777).toBe(0o750);
    expect(existsSync(`${file}.before-andon`)).toBe(false);
    expect((await factory.andon('hook', 'remove')).stdout).toContain('no hook of andon');
    expect(readFileSync(file, 'utf8')).toBe(theirs);
  });

  test.each(['plain', 'symbolic'])(
    'is installed or removed after a cut that left a %s hook in two places or one',
    async (kind) => {
      const factory = await ruled();
      const file = join(factory.repo, '.git/hooks/pre-commit');
      const kept = `${file}.before-andon`;
      const theirs = '#!/bin/sh\nexit 0\n';
      factory.write('tools/hook.sh', theirs);
      mkdirSync(join(factory.repo, '.git/hooks'), { recursive: true });
      const put = (path: string): void => {
        rmSync(path, { force: true });
        if (kind === 'symbolic') symlinkSync('../../tools/hook.sh', path);
        else writeFileSync(path, theirs);
      };
      const isRestored = (): boolean => readFileSync(file, 'utf8') === theirs && !existsSync(kept);
      put(kept); // of an older version, between two renames
      expect((await factory.andon('hook', 'remove')).stdout).toContain('what it was before');
      expect(isRestored()).toBe(true);
      put(kept);
      expect((await factory.andon('hook', 'remove')).stdout).toContain('what it was before');
      expect(isRestored()).toBe(true);
      put(kept);
      expect((await factory.andon('hook', 'install')).stdout).toContain('runs first');
      expect(readFileSync(kept, 'utf8')).toBe(theirs);
      await factory.andon('hook', 'remove');
      expect(isRestored()).toBe(true);
      expect(lstatSync(file).isSymbolicLink()).toBe(kind === 'symbolic');
    },
  );

  test('keeps a symbolic link, and never writes through it', async () => {
    const factory = await ruled();
    const file = join(factory.repo, '.git/hooks/pre-commit');
    factory.write('tools/hook.sh', '#!/bin/sh\nexit 0\n');
    mkdirSync(join(factory.repo, '.git/hooks'), { recursive: true });
    symlinkSync('../../tools/hook.sh', file);
    await factory.andon('hook', 'install');
    expect(factory.read('tools/hook.sh')).toBe('#!/bin/sh\nexit 0\n');
    await factory.andon('hook', 'remove');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  test('that somebody has edited is neither removed nor written anew, and stays as it is', async () => {
    const factory = await ruled();
    const file = join(factory.repo, '.git/hooks/pre-commit');
    await factory.andon('hook', 'install');
    const edited = readFileSync(file, 'utf8').replace('before=', 'npm test || exit 1\nbefore=');
    writeFileSync(file, edited);
    for (const what of ['remove', 'install'])
      expect(await factory.andon('hook', what)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('was edited') as string,
      });
    expect(readFileSync(file, 'utf8')).toBe(edited);
  });

  test('keeps a link to nothing, and refuses a folder in the place of the hook', async () => {
    const factory = await ruled();
    const folder = join(factory.repo, '.git/hooks');
    const file = join(folder, 'pre-commit');
    mkdirSync(folder, { recursive: true });
    symlinkSync('nowhere', file);
    expect(await factory.andon('hook', 'install')).toMatchObject({ code: 0 });
    await factory.andon('hook', 'remove');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    rmSync(file);
    mkdirSync(file);
    const refused = await factory.andon('hook', 'install');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is a folder') as string });
    expect(lstatSync(file).isDirectory()).toBe(true);
  });

  test(
    'goes where core.hooksPath points, but not into a folder that all repositories share',
    { tags: 'thorough' },
    async () => {
      const factory = await ruled();
      factory.git('config', 'core.hooksPath', '.githooks');
      await installed(factory);
      expect(factory.has('.githooks/pre-commit')).toBe(true);
      expect(factory.has('.git/hooks/pre-commit')).toBe(false);
      stage(factory, 'a.ts', EVIL);
      expect(commit(factory)).toContain('a.ts:1');
      await factory.andon('hook', 'remove');
      expect(factory.has('.githooks/pre-commit')).toBe(false);
      factory.git('config', '--unset', 'core.hooksPath');
      writeFileSync(join(factory.folder, 'home/.gitconfig'), `[core]\n\thooksPath = ${factory.folder}/all\n`);
      expect(await factory.andon('hook', 'install')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('not of this repository alone'),
      });
      expect(existsSync(join(factory.folder, 'all'))).toBe(false);
    },
  );

  test.each<[name: string, files: Readonly<Record<string, string>>, pasted: string, synced: string]>([
    ['husky', { '.husky/pre-commit': 'lint\n' }, `add the line \`${LINE}\` to .husky/pre-commit`, ''],
    ['lefthook', { 'lefthook.yml': 'pre-commit: {}\n' }, `andon: { run: ${LINE} }`, 'lefthook install'],
    ['simple-git-hooks', { '.simple-git-hooks.json': '{}' }, `"pre-commit": "${LINE}"`, 'npx simple-git-hooks'],
  ])(
    'is not installed beside %s (%o), and the refusal names what to paste where',
    async (name, files, pasted, synced) => {
      const factory = await aFactory({ files });
      const refused = await factory.andon('hook', 'install');
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      for (const part of [`${name} keeps the hooks`, pasted, ...Object.keys(files), synced])
        expect(refused.stderr).toContain(part);
      expect(factory.git('status', '--porcelain')).toBe('');
      expect(existsSync(join(factory.repo, '.git/hooks/pre-commit'))).toBe(false);
    },
  );

  test('works in a linked worktree, for all of them at once', { tags: 'thorough' }, async () => {
    const factory = await ruled();
    const tree = join(factory.folder, 'tree');
    factory.git('worktree', 'add', '--quiet', '-b', 'other', tree);
    await installed(factory, tree);
    writeFileSync(join(tree, 'a.ts'), EVIL);
    execFileSync('git', ['add', '--all'], { cwd: tree, env: factory.env });
    expect(commit(factory, tree)).toContain('a.ts:1');
    stage(factory, 'b.ts', EVIL);
    expect(commit(factory)).toContain('b.ts:1');
  });

  test('that finds no andon stops the commit: nothing was checked', async () => {
    const factory = await ruled();
    await installed(factory);
    const file = join(factory.repo, '.git/hooks/pre-commit');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^andon='.*'$/m, "andon='/nowhere/andon.mjs'"));
    stage(factory, 'a.ts', 'ok();\n');
    expect(commit(factory)).toContain('nothing was checked');
  });

  test(
    'lets the first rules in, which hold what they forbid in their own pattern and examples',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({ projectConfig: { enforcement: { mode: 'strict' } } });
      await installed(factory);
      const match = { on: 'added_lines', pattern: 'FORBIDDEN' };
      stage(
        factory,
        '.andon/rules/project.yaml',
        ruleFile(
          forbids('never', 'FORBIDDEN', { severity: 'CRITICAL', match, tests: { violates: ['a FORBIDDEN word'] } }),
        ),
      );
      expect(commit(factory)).toBeUndefined();
      stage(factory, 'a.ts', 'FORBIDDEN\n');
      expect(commit(factory)).toContain('a.ts:1');
    },
  );

  test('is neither installed nor removed by another word', async () => {
    expect(await (await ruled()).andon('hook', 'update')).toMatchObject({ code: 2 });
  });
});
