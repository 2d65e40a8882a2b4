/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { expectRefusal, gitIn, madeAnew, movedAway } from '../support/places.ts';
import { FINAL } from '../support/scenario.ts';

const NEW = ['new', '--id', 'X', '--allow', 'docs/', '--require', 'x'];

describe('is refused in a sentence that says what to do:', () => {
  test('a bare repository, in which nothing is made', async () => {
    const factory = await aFactory();
    gitIn(factory, factory.folder, 'clone', '--quiet', '--bare', movedAway(factory), factory.repo);
    const before = readdirSync(factory.repo);
    for (const command of [['watch'], ['doctor'], ['status'], ['init'], NEW])
      expectRefusal(await factory.andon(...command), 'is a bare repository', 'git worktree add');
    expect(readdirSync(factory.repo)).toEqual(before);
  });

  test("a folder of git's own", async () => {
    const factory = await aFactory();
    const before = factory.snapshot();
    for (const folder of ['.git', '.git/refs'])
      expectRefusal(
        await factory.andonIn(join(factory.repo, folder), 'watch'),
        'not a checkout',
        'where your files are',
      );
    expect(factory.snapshot()).toEqual(before);
  });

  test('a repository that this git does not know how to read', async () => {
    const factory = await aFactory();
    factory.git('config', 'core.repositoryformatversion', '1');
    factory.git('config', 'extensions.refStorage', 'a-table');
    expectRefusal(await factory.andon('doctor'), 'refstorage', 'update git');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'a repository of another user, which root may only read once it is trusted (needs root)',
    async () => {
      const factory = await aFactory();
      for (const folder of ['', '.git']) chownSync(join(factory.repo, folder), 12_345, 12_345);
      expectRefusal(await factory.andon('watch'), 'belongs to another user', `safe.directory '${factory.repo}'`);
      execFileSync('git', ['config', '--global', '--add', 'safe.directory', factory.repo], { env: factory.env });
      expect((await factory.andon('status')).code).toBe(0);
      expectRefusal(await factory.andon('watch'), 'andon runs as root', 'run andon as that user');
    },
  );

  test('a repository in a folder whose name holds a line break', async () => {
    const factory = await aFactory({ repoName: 'two\nlines' });
    expectRefusal(await factory.andon('watch'), 'holds a line break', 'rename the folder');
  });

  test('a contract that names no branch while HEAD is detached', async () => {
    const factory = await aFactory();
    factory.git('checkout', '--quiet', '--detach');
    const before = factory.snapshot('refs/heads/none');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('git switch'));
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test('a contract where nothing was ever committed; it is taken as it stands after the first commit', async () => {
    const factory = await aFactory();
    factory.git('update-ref', '-d', 'HEAD');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('make a first commit'));
    factory.git('commit', '--quiet', '--message=First');
    await dog.until(() => factory.isMerged());
    expect(factory.git('status', '--porcelain')).toBe('');
  });
});

describe('works, and leaves what lies around it alone:', () => {
  test('the branch that is checked out when a contract comes, whatever it was when andon started', async () => {
    const factory = await aFactory();
    factory.git('checkout', '--quiet', '--detach');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('HEAD is detached'));
    factory.git('checkout', '--quiet', '-b', 'side');
    await dog.until(() => existsSync(join(factory.repo, 'docs/auth_final.md')));
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.git('log', '-1', '--format=%s', 'side')).toContain('DOC-001');
  });

  test('a work tree of a bare repository', async () => {
    const factory = await aFactory();
    const bare = join(factory.folder, 'bare.git');
    gitIn(factory, factory.folder, 'clone', '--quiet', '--bare', movedAway(factory), bare);
    gitIn(factory, bare, 'worktree', 'add', '--quiet', factory.repo, 'main');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('a second work tree, while the target is checked out in the first and a third one has edits', async () => {
    const factory = await aFactory();
    const first = movedAway(factory);
    const third = join(factory.folder, 'third');
    gitIn(factory, first, 'worktree', 'add', '--quiet', '-b', 'side', factory.repo);
    gitIn(factory, first, 'worktree', 'add', '--quiet', '-b', 'more', third);
    writeFileSync(join(third, 'README.md'), 'mine\n');
    const before = [factory.snapshot(), gitIn(factory, third, 'status', '--porcelain')];
    expect((await factory.run(aContract({ git: { base_branch: 'main' } }))).status).toBe('merged');
    expect([factory.snapshot(), gitIn(factory, third, 'status', '--porcelain')]).toEqual(before);
    expect(existsSync(join(first, 'docs/auth_final.md'))).toBe(true);
    expect(gitIn(factory, first, 'status', '--porcelain')).toBe('');
  });

  test.each(['main', 'trunk'])(
    'a target that is another name of the branch that is checked out (as %s): the checkout follows',
    async (out) => {
      const factory = await aFactory();
      factory.git('branch', 'trunk');
      factory.git('symbolic-ref', 'HEAD', 'refs/heads/trunk');
      factory.git('symbolic-ref', 'refs/heads/main', 'refs/heads/trunk');
      factory.git('symbolic-ref', 'HEAD', `refs/heads/${out}`);
      expect((await factory.run(aContract({ 'git.base_branch': 'main' }))).status).toBe('merged');
      expect(factory.git('status', '--porcelain')).toBe('');
      expect(factory.read('docs/auth_final.md')).toBe(FINAL);
      expect(factory.git('symbolic-ref', 'refs/heads/main')).toBe('refs/heads/trunk');
      expect(await factory.andon('undo', 'DOC-001')).toMatchObject({ code: 0 });
      expect(factory.git('status', '--porcelain')).toBe('');
      expect(factory.has('docs/auth_final.md')).toBe(false);
    },
  );

  test('a target that is checked out twice halts the line, and neither checkout is touched', async () => {
    const factory = await aFactory();
    const twin = join(factory.folder, 'twin');
    factory.git('worktree', 'add', '--quiet', '--force', twin, 'main');
    const before = factory.snapshot('refs/heads/none');
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain(`checked out twice, in ${factory.repo} and ${twin}`);
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test('a target whose work tree was deleted by hand halts the line and names the command', async () => {
    const factory = await aFactory();
    factory.git('branch', 'side');
    gitIn(factory, factory.repo, 'worktree', 'add', '--quiet', join(factory.folder, 'gone'), 'side');
    execFileSync('rm', ['-r', join(factory.folder, 'gone')]);
    const before = factory.snapshot('refs/heads/none');
    expect((await factory.run(aContract({ git: { base_branch: 'side' } }))).status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain('is gone; git worktree prune');
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test('a checkout whose git directory lies elsewhere', async () => {
    const factory = await aFactory();
    factory.git('init', '--quiet', `--separate-git-dir=${join(factory.folder, 'elsewhere.git')}`);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('a submodule: it is merged inside, and the repository around it is not told', async () => {
    const factory = await aFactory();
    const around = join(factory.folder, 'around');
    const origin = movedAway(factory);
    gitIn(factory, factory.folder, 'init', '--quiet', '--initial-branch=main', around);
    gitIn(factory, around, 'submodule', '--quiet', 'add', origin, 'inner');
    gitIn(factory, around, 'commit', '--quiet', '--message=inner');
    symlinkSync(join(around, 'inner'), factory.repo);
    const before = [gitIn(factory, around, 'rev-parse', 'HEAD'), gitIn(factory, around, 'ls-files', '--stage')];
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    expect(factory.git('status', '--porcelain')).toBe('');
    expect([gitIn(factory, around, 'rev-parse', 'HEAD'), gitIn(factory, around, 'ls-files', '--stage')]).toEqual(
      before,
    );
    expect(readdirSync(around).toSorted()).toEqual(['.git', '.gitmodules', 'inner']);
  });

  test('a path full of signs that shells and git read otherwise', async () => {
    const factory = await aFactory({ repoName: `it's "my" $HOME \\n: #ü u\u0308 💥` });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  });

  test('a repository of SHA-256', async () => {
    const factory = await aFactory();
    madeAnew(factory, '--object-format=sha256');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.git('rev-parse', 'main')).toMatch(/^[0-9a-f]{64}$/);
    expect(factory.git('status', '--porcelain')).toBe('');
    expect(await factory.andon('undo', 'DOC-001')).toMatchObject({ code: 0 });
  });
});
