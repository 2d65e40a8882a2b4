import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFolder } from '../../sandbox/processes/a-runner.ts';
import { aRepository } from './a-repository.ts';

const FILES = {
  'README.md': '# Project\n',
  'src/a.txt': 'a\n',
  'src/run.sh': 'echo\n',
  '.gitignore': 'build/\n*.log\n',
  '.claude/settings.json': '{}\n',
  'sub/.claude/x.md': 'x\n',
  'opencode.json': '{}\n',
  '.github/hooks/a.json': '{}\n',
  '.github/workflows/ci.yml': 'on: push\n',
};
const HIDE = ['.claude', 'opencode.json', '.github/hooks'];

/** A tree that was laid out for an agent, and how it differs afterwards. */
async function aTree(files: Readonly<Record<string, string>> = FILES) {
  const here = aRepository(files);
  const repository = await here.open();
  const folder = join(aFolder(), 'tree');
  await repository.layOut(here.git('rev-parse', 'HEAD'), folder, HIDE);
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return { folder, write, at: (path: string) => join(folder, path), changes: () => repository.editedIn(folder, HIDE) };
}

describe('a tree that is laid out for an agent', () => {
  test('holds the files of the commit, no git, and nothing that is hidden', async () => {
    const { at } = await aTree();
    for (const path of ['README.md', 'src/a.txt', 'sub', '.github/workflows/ci.yml'])
      expect(existsSync(at(path)), path).toBe(true);
    for (const path of ['.git', '.claude', 'sub/.claude', 'opencode.json', '.github/hooks'])
      expect(existsSync(at(path)), path).toBe(false);
  });

  test('differs in nothing when nobody touched it', async () => {
    const { changes } = await aTree();
    expect(await changes()).toEqual([]);
  });

  test('tells what was written, added, removed, and made to run', async () => {
    const { write, at, changes } = await aTree();
    write('src/a.txt', 'A\n');
    write('new/deep/b.txt', 'b');
    rmSync(at('README.md'));
    chmodSync(at('src/run.sh'), 0o755);
    expect(await changes()).toEqual([
      { path: 'README.md', content: null },
      { path: 'new/deep/b.txt', content: 'b', executable: false },
      { path: 'src/a.txt', content: 'A\n', executable: false },
      { path: 'src/run.sh', content: 'echo\n', executable: true },
    ]);
  });

  test('leaves out what .gitignore leaves out, a git of its own, and what was hidden', async () => {
    const { write, folder, changes } = await aTree();
    write('build/out.js', 'x');
    write('noise.log', 'x');
    write('.claude/settings.json', '{"hooks":{}}');
    write('sub/.claude/y.md', 'y');
    execFileSync('git', ['init', '--quiet', folder]);
    write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    expect(await changes()).toEqual([]);
  });

  test('tells of links, sockets, other repositories and bytes in words, and follows nothing', async () => {
    const { write, at, folder, changes } = await aTree();
    symlinkSync('/etc/passwd', at('src/link'));
    rmSync(at('src/a.txt'));
    symlinkSync('/etc/hostname', at('src/a.txt'));
    execFileSync('mkfifo', [at('src/pipe')]);
    write('src/bytes.bin', new Uint8Array([0, 255, 1]));
    execFileSync('git', ['init', '--quiet', join(folder, 'other')]);
    write('other/x.txt', 'x');
    const told = await changes();
    expect(told.map(({ path }) => path).filter((path) => path !== 'src/pipe')).toEqual([
      'other',
      'src/a.txt',
      'src/bytes.bin',
      'src/link',
    ]);
    expect(told.every((file) => 'unfit' in file)).toBe(true);
    expect(JSON.stringify(told)).not.toContain('root:');
  });

  test.each(['.git', '.GIT'])(
    'runs no filter of a repository that the agent made where a submodule lies (%s)',
    { tags: 'thorough' },
    async (name) => {
      const here = aRepository({ ...FILES, '.gitattributes': '*.txt text\n' });
      const commit = here.git('rev-parse', 'HEAD');
      here.git('update-index', '--add', '--cacheinfo', `160000,${commit},vendor/lib`);
      here.git('commit', '--quiet', '--message', 'a submodule');
      const repository = await here.open();
      const folder = join(aFolder(), 'tree');
      await repository.layOut(here.git('rev-parse', 'HEAD'), folder, HIDE);
      const ran = join(aFolder(), 'ran');
      const script = `git init --quiet .
git config filter.evil.clean 'touch ${ran}; cat'
echo '* filter=evil' >.gitattributes
echo one >f.txt
git -c filter.evil.clean=cat add .
echo twos >f.txt
[ '${name}' = .git ] || mv .git '${name}'`;
      for (const place of ['vendor/lib', 'src']) {
        const module = join(folder, place);
        mkdirSync(module, { recursive: true });
        execFileSync('sh', ['-ec', script], { cwd: module });
      }
      rmSync(ran, { force: true });
      await repository.editedIn(folder, HIDE);
      await repository.layOut(commit, folder, HIDE);
      await repository.checkOut(commit, folder);
      expect(existsSync(ran)).toBe(false);
    },
  );

  test('leaves a repository alone that .gitignore leaves out', async () => {
    const { folder, write, changes } = await aTree();
    write('build/out.js', 'x');
    execFileSync('git', ['init', '--quiet', join(folder, 'build/dependency')]);
    expect(await changes()).toEqual([]);
  });

  test('is read although the agent took the rights of its folders away', async () => {
    const { at, folder, write, changes } = await aTree();
    write('src/a.txt', 'A\n');
    write('src/.git/objects/x', 'x');
    for (const path of [at('src/.git/objects'), at('src/.git'), at('src'), folder]) chmodSync(path, 0o000);
    expect(await changes()).toEqual([{ path: 'src', unfit: expect.stringContaining('repository of its own') }]);
  });

  test('a folder that became a link leads nowhere', async () => {
    const { at, changes } = await aTree();
    rmSync(at('src'), { recursive: true });
    symlinkSync('/etc', at('src'));
    const told = await changes();
    expect(told).toContainEqual({ path: 'src/a.txt', content: null });
    expect(told.find(({ path }) => path === 'src')).toMatchObject({ unfit: expect.stringContaining('symbolic link') });
  });

  test('of more files than anybody reads is refused as a whole, never taken in part', async () => {
    const { write, changes } = await aTree();
    for (let number = 1; number <= 2001; number += 1) write(`many/${number}.txt`, 'x');
    const unfit = (await changes()).filter((file) => 'unfit' in file);
    expect(unfit).toEqual([{ path: 'many/999.txt', unfit: expect.stringContaining('too large') }]);
  });

  test('is laid out anew for the next call', async () => {
    const here = aRepository(FILES);
    const repository = await here.open();
    const folder = join(aFolder(), 'tree');
    const head = here.git('rev-parse', 'HEAD');
    await repository.layOut(head, folder, HIDE);
    writeFileSync(join(folder, 'left.txt'), 'x');
    await repository.layOut(head, folder, HIDE);
    expect(await repository.editedIn(folder, HIDE)).toEqual([]);
  });
});
