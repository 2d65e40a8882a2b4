import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findRepository, gitVersion } from '../../../src/adapters/repository/find-repository.ts';

let folder = '';
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-find-')));
  mkdirSync(at('plain/deep/er'), { recursive: true });
  git(at('plain'), 'init', '-q', '-b', 'main');
  git(at('plain'), 'commit', '-q', '--allow-empty', '-m', 'one');
  git(at('plain'), 'worktree', 'add', '-q', at('beside'));
  git(folder, 'init', '-q', at('outer'));
  git(at('outer'), 'submodule', 'add', '-q', at('plain'), 'inner');
  git(folder, 'init', '-q', at('special'));
  mkdirSync(at('special-files'));
  git(at('special'), 'config', 'core.worktree', at('special-files'));
  git(folder, 'init', '-q', at('two\nlines'));
  symlinkSync(at('plain'), at('link'));
  mkdirSync(at('nothing'));
  git(folder, 'init', '-q', '--bare', at('bare.git'));
  mkdirSync(at('empty-path'));
  mkdirSync(at('old-git'));
  writeFileSync(at('old-git/git'), '#!/bin/sh\necho git version 2.30.2\n');
  chmodSync(at('old-git/git'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

describe('the repository that a folder lies in', () => {
  it.each(['plain', 'plain/deep/er', 'link/deep', 'beside', 'outer', 'outer/inner', 'special', 'two\nlines'])(
    'is the one that git itself finds from %j',
    async (name) => {
      const told = (what: string): string => git(at(name), 'rev-parse', '--path-format=absolute', what);
      const expected = { root: told('--show-toplevel'), commonDir: told('--git-common-dir') };
      expect(await findRepository(at(name))).toEqual({ ok: true, value: expected });
    },
  );

  it.each([
    ['plain/.git', 'not a checkout'],
    ['plain/.git/hooks', 'not a checkout'],
    ['bare.git', 'is a bare repository'],
    ['nothing', 'not a git repository'],
  ])('is none in %s, and that is said', async (name, reason) => {
    expect(await findRepository(at(name))).toMatchObject({
      ok: false,
      why: { sentence: expect.stringContaining(reason) as string },
    });
  });

  it('is found without a process where it is as git makes it, and only there', async () => {
    vi.stubEnv('PATH', at('empty-path'));
    expect(await findRepository(at('plain/deep'))).toMatchObject({ ok: true, value: { root: at('plain') } });
    expect(await findRepository(at('beside'))).toMatchObject({
      ok: false,
      why: { sentence: expect.stringContaining('cannot run git') as string },
    });
  });

  it('is not taken from the files where it belongs to somebody else: git says what it thinks of that', async () => {
    const me = process.geteuid?.() ?? 0;
    const asAnother = vi.spyOn(process as { geteuid(): number }, 'geteuid').mockReturnValue(me + 1);
    vi.stubEnv('PATH', at('empty-path'));
    expect(await findRepository(at('plain'))).toMatchObject({ ok: false });
    asAnother.mockRestore();
  });
});

describe('the version of git', () => {
  it('is told', async () => {
    expect(await gitVersion(folder)).toEqual({ ok: true, value: git(folder, 'version').replace('git version ', '') });
  });

  it('is refused where it cannot build merges', async () => {
    vi.stubEnv('PATH', `${at('old-git')}:${process.env['PATH']}`);
    expect(await gitVersion(folder)).toEqual({
      ok: false,
      why: { sentence: 'git 2.30.2 is too old; andon needs 2.38 or newer', remedy: 'update git' },
    });
  });
});
