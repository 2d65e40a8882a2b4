import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRepository, drop, plan, put } from './a-repository.ts';

const ODD_NAMES = [
  'docs/ü.md',
  'docs/with space.md',
  'docs/"quoted".md',
  'docs/back\\slash.md',
  'docs/tab\t.md',
  '💥.md',
];

describe('building a commit', () => {
  it('keeps every byte, the mode, and everything that was not named', async () => {
    const here = aRepository({ 'README.md': 'hello\n', 'old.md': 'x\n' });
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const built = await repository.build(
      [put('a/b.bin', bytes), put('run.sh', '#!/bin/sh\n', '100755'), drop('old.md')],
      plan(head),
    );
    const files = await repository.files(built.commit);
    expect(files.map(({ path, mode }) => `${mode} ${path}`)).toEqual([
      '100644 README.md',
      '100644 a/b.bin',
      '100755 run.sh',
    ]);
    const read = await repository.read(built.commit, ['a/b.bin', 'README.md', 'old.md']);
    expect(Buffer.from(read.get('a/b.bin') ?? [])).toEqual(Buffer.from(bytes));
    expect(read.has('old.md')).toBe(false);
  });

  it('gives the same commit for the same plan', async () => {
    const here = aRepository();
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const once = await repository.build([put('a.md', 'a\n')], plan(head));
    expect(await repository.build([put('a.md', 'a\n')], plan(head))).toEqual(once);
  });

  it('leaves the checkout, its index and its refs alone', async () => {
    const here = aRepository();
    const repository = await here.open();
    const before = [here.git('status', '--porcelain'), here.git('for-each-ref'), readdirSync(here.root)];
    await repository.build([put('a.md', 'a\n')], plan(here.git('rev-parse', 'HEAD')));
    expect([here.git('status', '--porcelain'), here.git('for-each-ref'), readdirSync(here.root)]).toEqual(before);
  });

  it('knows files with odd names by their names', async () => {
    const here = aRepository();
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const files = ODD_NAMES.map((name) => put(name, `of ${name}\n`));
    const built = await repository.build(files, plan(head));
    expect((await repository.files(built.commit)).map(({ path }) => path)).toEqual(expect.arrayContaining(ODD_NAMES));
    const texts = await repository.read(built.commit, ODD_NAMES);
    for (const name of ODD_NAMES) expect(Buffer.from(texts.get(name) ?? []).toString()).toBe(`of ${name}\n`);
    const changed = (await repository.diff(head, built.commit)).map(({ path }) => path);
    expect(changed.toSorted()).toEqual(ODD_NAMES.toSorted());
  });

  it('refuses paths that lead out or into .git, and nothing is built', async () => {
    const here = aRepository();
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    for (const path of [
      '.git/config',
      '.GIT/config',
      'a/.git/hooks/x',
      '../out.md',
      'a/../../out.md',
      '/etc/out.md',
      './a.md',
      'a//b.md',
      '',
    ]) {
      const built = await repository.build([put(path, 'evil\n')], plan(head)).catch(() => undefined);
      // What git's object database takes all the same must still never reach a disk.
      if (built !== undefined) {
        const folder = join(dirname(here.root), 'tree');
        await repository.checkOut(built.commit, folder).catch(() => undefined);
        expect(existsSync(join(folder, '.git'))).toBe(false);
        expect(existsSync(join(folder, '.GIT'))).toBe(false);
      }
      expect(existsSync(join(dirname(here.root), 'out.md'))).toBe(false);
      expect(existsSync('/etc/out.md')).toBe(false);
      expect(readFileSync(here.path('.git/config'), 'utf8')).not.toContain('evil');
    }
  });

  it('never writes through a symbolic link of the project', async () => {
    const here = aRepository();
    const outside = join(dirname(here.root), 'outside');
    mkdirSync(outside);
    symlinkSync(outside, here.path('link'));
    const head = here.commit();
    const repository = await here.open();
    const built = await repository.build([put('link/pwned.md', 'evil\n')], plan(head));
    const tree = join(dirname(here.root), 'tree');
    await repository.checkOut(head, tree);
    await repository.checkOut(built.commit, tree);
    expect(readdirSync(outside)).toEqual([]);
    expect(lstatSync(join(tree, 'link')).isDirectory()).toBe(true);
  });
});

describe('a tree on disk', () => {
  it('holds exactly the commit, whatever a gate did to it before', async () => {
    const here = aRepository({ 'README.md': 'hello\n', 'docs/a.md': 'a\n', '.gitignore': 'ignored\n' });
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const tree = join(dirname(here.root), 'tree');
    await repository.checkOut(head, tree);
    writeFileSync(join(tree, 'README.md'), 'bye!!\n');
    writeFileSync(join(tree, 'untracked.md'), 'x');
    writeFileSync(join(tree, 'ignored'), 'x');
    mkdirSync(join(tree, 'made/deep'), { recursive: true });
    writeFileSync(join(tree, 'made/deep/x'), 'x');
    rmSync(join(tree, 'docs'), { recursive: true });
    await repository.checkOut(head, tree);
    expect(readFileSync(join(tree, 'README.md'), 'utf8')).toBe('hello\n');
    expect(readFileSync(join(tree, 'docs/a.md'), 'utf8')).toBe('a\n');
    expect(readdirSync(tree).toSorted()).toEqual(['.gitignore', 'README.md', 'docs']);
  });

  it('is not lied to by a repository that a gate has made in it', async () => {
    const here = aRepository({ 'README.md': 'hello\n' });
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const tree = join(dirname(here.root), 'tree');
    await repository.checkOut(head, tree);
    mkdirSync(join(tree, 'sub/.git/objects'), { recursive: true });
    mkdirSync(join(tree, 'sub/.git/refs'), { recursive: true });
    writeFileSync(join(tree, 'sub/.git/HEAD'), 'ref: refs/heads/main\n');
    mkdirSync(join(tree, '.git'));
    writeFileSync(join(tree, '.git/config'), '[core]\n\tfsmonitor = touch /tmp/pwned\n');
    await repository.checkOut(head, tree);
    expect(readdirSync(tree)).toEqual(['README.md']);
  });

  it('is made anew where others wrote in it: no .git inside a folder, no mode, no link, nothing ignored is left', async () => {
    const here = aRepository({ 'src/a.ts': 'a\n', '.gitignore': 'ignored\n' });
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const tree = join(dirname(here.root), 'tree');
    const spoil = (): void => {
      mkdirSync(join(tree, 'src/.git'));
      writeFileSync(join(tree, 'src/.git/fill'), 'x');
      writeFileSync(join(tree, 'ignored'), 'x');
      linkSync(join(tree, 'src/a.ts'), join(tree, 'b'));
      chmodSync(join(tree, 'src/a.ts'), 0o600);
      chmodSync(join(tree, 'src'), 0o700);
    };
    const look = (): unknown => [
      readdirSync(tree, { recursive: true, encoding: 'utf8' }).toSorted((a, b) => a.localeCompare(b)),
      ['src', 'src/a.ts'].map((name) => lstatSync(join(tree, name)).mode.toString(8)),
      lstatSync(join(tree, 'src/a.ts')).nlink,
    ];
    await repository.checkOutAnew(head, tree);
    const fresh = look();
    spoil();
    await repository.checkOutAnew(head, tree);
    expect(look()).toEqual(fresh);
    spoil();
    await repository.checkOut(head, tree);
    expect(look()).toEqual(fresh);
    expect(fresh).toEqual([['.gitignore', 'src', 'src/a.ts'], expect.anything(), 1]);
  });

  it('is not written through a link that a gate put in the place of a folder', async () => {
    const here = aRepository({ 'docs/a.md': 'a\n' });
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const outside = join(dirname(here.root), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.md'), 'mine\n');
    const tree = join(dirname(here.root), 'tree');
    await repository.checkOut(head, tree);
    rmSync(join(tree, 'docs'), { recursive: true });
    symlinkSync(outside, join(tree, 'docs'));
    const next = await repository.build([put('docs/a.md', 'b\n')], plan(head));
    await repository.checkOut(next.commit, tree);
    expect(readFileSync(join(outside, 'a.md'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(tree, 'docs/a.md'), 'utf8')).toBe('b\n');
    expect(lstatSync(join(tree, 'docs')).isSymbolicLink()).toBe(false);
  });

  it('holds only some paths when only some are wanted', async () => {
    const here = aRepository({ 'docs/a.md': 'a\n', 'src/b.ts': 'b\n' });
    const repository = await here.open();
    const head = here.git('rev-parse', 'HEAD');
    const tree = join(dirname(here.root), 'tree');
    await repository.checkOut(head, tree, ['docs/a.md']);
    expect(readdirSync(tree)).toEqual(['docs']);
    await repository.checkOut(head, tree, ['src/b.ts']);
    expect(readdirSync(tree)).toEqual(['src']);
  });
});
