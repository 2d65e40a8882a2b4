import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findRepository, readGitVersion } from '../../../../src/project/git/find-repository.ts';

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
  git(folder, 'init', '-q', at('two\nunusual\nlines'));
  git(at('two\nunusual\nlines'), 'config', 'core.compression', '1');
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
  it.each([
    'plain',
    'plain/deep/er',
    'link/deep',
    'beside',
    'outer',
    'outer/inner',
    'special',
    'two\nlines',
    'two\nunusual\nlines',
  ])('is the one that git itself finds from %j', async (name) => {
    const told = (what: string): string => git(at(name), 'rev-parse', '--path-format=absolute', what);
    const expected = { root: told('--show-toplevel'), commonDir: told('--git-common-dir') };
    expect(await findRepository(at(name))).toEqual({ ok: true, value: expected });
  });

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

/** A repository of its own with this configuration. */
function configured(text: string): string {
  const place = mkdtempSync(at('configured-'));
  git(place, 'init', '-q');
  writeFileSync(join(place, '.git/config'), text);
  return place;
}

/** What git finds from a folder; undefined where it refuses. */
function foundByGit(from: string, env: Readonly<Record<string, string>> = {}) {
  try {
    const [root = '', commonDir = ''] = execFileSync(
      'git',
      ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'],
      { cwd: from, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } },
    ).split('\n');
    return { root, commonDir };
  } catch {
    return undefined;
  }
}

const foundByAndon = async (from: string, env: Readonly<Record<string, string>> = {}) => {
  const found = await findRepository(from, { ...process.env, ...env });
  return found.ok ? found.value : undefined;
};

const CORE = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n';
const CLONED = `${CORE}[remote "origin"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n`;

describe('a configuration of the repository', () => {
  /** Which of them cost no process. */
  const usual = [
    CORE,
    CLONED,
    CLONED.replaceAll('\n', '\r\n'),
    `# mine\n${CORE}\n; more\n[user]\n\tname = Erik\n\temail = e@x.org\n`,
    `${CORE}\thooksPath = .husky/_\n\tautocrlf = input\n[pull]\n\trebase = true\n[branch "a b"]\n\tremote = .\n`,
    `${CORE}[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n`,
    '',
  ];
  const others = [
    `${CORE}[user]\n\tname = "Erik \\"E\\" # no comment"\n\temail = e@x.org # a comment\n[branch "a \\"b"]\n\tremote = . ; whose\n`,
    '[core\n',
    '[core]]\n',
    `${CORE}[remote origin]\n`,
    `${CORE}[remote "origin]\n`,
    `${CORE}[user]\n\tname = "Erik\n`,
    `${CORE}[user]\n\tname = a\\q\n`,
    `${CORE}[user]\n\tna_me = x\n`,
    `${CORE}[user]\n\t= x\n`,
    `${CORE}[user]\n\tname = Erik \\\n the first\n`,
    `${CORE}[user] name = Erik\n`,
    `${CORE}<<<<<<< HEAD\n`,
    `${CORE}\u0000\n`,
    '\ufeff[core]\n\tbare = false\n',
    'bare = true\n[core]\n',
    CORE.replace('filemode = true', 'filemode = maybe'),
    CORE.replace('filemode = true', 'filemode'),
    CORE.replace('= 0', '= 7'),
    CORE.replace('= 0', '= 1'),
    CORE.replace('bare = false', 'bare = true'),
    CORE.replace('bare = false', 'bare = no'),
    CORE.replace('bare = false', 'Bare'),
    `${CORE}\tcompression = 99\n`,
    `${CORE}\tworktree = ..\n`,
    `${CORE}\thooksPath = ~nobody-of-that-name/hooks\n`,
    `${CORE}[push]\n\tdefault = everything\n`,
    `${CORE}[advice]\n\tdetachedHead = maybe\n`,
    `${CORE}[user]\n\tuseConfigOnly = maybe\n`,
    `${CORE}[branch]\n\tautoSetupRebase = maybe\n`,
    `${CORE}[include]\n\tpath = nowhere\n`,
    `${CORE}[extensions]\n\tobjectFormat = sha1\n`,
  ];

  it.each([...usual, ...others])(
    'lets andon find what git finds, and nothing where git refuses: %j',
    { tags: 'thorough' },
    async (text) => {
      const place = configured(text);
      expect(await foundByAndon(place)).toEqual(foundByGit(place));
    },
  );

  it.each(usual)('costs no process where it is usual: %j', async (text) => {
    const place = configured(text);
    vi.stubEnv('PATH', at('empty-path'));
    expect(await foundByAndon(place)).toEqual({ root: place, commonDir: join(place, '.git') });
  });

  it('that git cannot read is named, with its line', async () => {
    expect(await findRepository(configured(`${CORE}[user\n`))).toEqual({
      ok: false,
      why: {
        sentence: expect.stringMatching(/configured-\w+: bad config line 6 in file \S+config$/) as string,
        remedy: 'correct it, then check with `git config --list --show-origin`',
      },
    });
  });
});

describe('what the environment says of where a repository is', () => {
  const nowhere = (): string => {
    mkdirSync(at('lost'), { recursive: true });
    writeFileSync(at('lost/.git'), 'gitdir: /nowhere/at/all\n');
    return at('lost');
  };
  const emptied = (): string => {
    mkdirSync(at('plain/deep/with-empty/.git'), { recursive: true });
    return at('plain/deep/with-empty');
  };

  /** As git does: ceilings, and a `.git` that is none. */
  it.each<[string, () => string, () => Record<string, string>]>([
    ['a ceiling above it', () => at('plain/deep'), () => ({ GIT_CEILING_DIRECTORIES: folder })],
    ['a ceiling between', () => at('plain/deep/er'), () => ({ GIT_CEILING_DIRECTORIES: at('plain/deep') })],
    ['a ceiling at the folder itself', () => at('plain'), () => ({ GIT_CEILING_DIRECTORIES: at('plain') })],
    [
      'a ceiling at the repository, from below',
      () => at('plain/deep'),
      () => ({ GIT_CEILING_DIRECTORIES: at('plain') }),
    ],
    [
      'several ceilings',
      () => at('plain/deep/er'),
      () => ({ GIT_CEILING_DIRECTORIES: `/nowhere:${at('plain/deep')}` }),
    ],
    ['a .git file that points nowhere', nowhere, () => ({})],
    ['an empty folder .git', emptied, () => ({})],
    ['GIT_DIR of this very repository', () => at('plain'), () => ({ GIT_DIR: at('plain/.git') })],
    ['GIT_DIR as a hook has it', () => at('plain'), () => ({ GIT_DIR: '.git' })],
    ['GIT_DIR of this worktree', () => at('beside'), () => ({ GIT_DIR: at('plain/.git/worktrees/beside') })],
    ['GIT_DIR that names a .git file', () => at('beside'), () => ({ GIT_DIR: at('beside/.git') })],
    ['GIT_DIR of this submodule', () => at('outer/inner'), () => ({ GIT_DIR: at('outer/.git/modules/inner') })],
    ['GIT_WORK_TREE that is this checkout', () => at('plain/deep'), () => ({ GIT_WORK_TREE: at('plain') })],
    ['GIT_DIR that is nowhere', () => at('plain'), () => ({ GIT_DIR: '/nowhere/at/all' })],
    ['GIT_DIR of nothing', () => at('plain'), () => ({ GIT_DIR: '' })],
  ])('is taken as git takes it: %s', async (_, from, env) => {
    const place = from();
    expect(await foundByAndon(place, env())).toEqual(foundByGit(place, env()));
  });

  /** Here git works with the files of one folder and the history of another; andon does that to nobody. */
  it.each<[string, () => string, () => Record<string, string>]>([
    ['GIT_DIR of another repository', () => at('plain'), () => ({ GIT_DIR: at('outer/.git') })],
    ['GIT_DIR of another worktree', () => at('plain'), () => ({ GIT_DIR: at('plain/.git/worktrees/beside') })],
    ['GIT_DIR of a bare one', () => at('plain'), () => ({ GIT_DIR: at('bare.git') })],
    ['GIT_DIR where none is around', () => at('nothing'), () => ({ GIT_DIR: at('plain/.git') })],
    ['GIT_WORK_TREE elsewhere', () => at('plain'), () => ({ GIT_WORK_TREE: at('outer') })],
    ['GIT_COMMON_DIR elsewhere', () => at('beside'), () => ({ GIT_COMMON_DIR: at('outer/.git') })],
  ])('is refused where it names another one, and says how to go on: %s', async (_, from, env) => {
    const [name = '', value = ''] = Object.entries(env())[0] ?? [];
    expect(await findRepository(from(), { ...process.env, ...env() })).toEqual({
      ok: false,
      why: {
        sentence: expect.stringContaining(`${name} is set to ${value}`) as string,
        remedy: expect.stringContaining(`unset ${name}`) as string,
      },
    });
  });

  it('costs no process in a hook of a plain repository', async () => {
    vi.stubEnv('PATH', at('empty-path'));
    expect(await foundByAndon(at('plain'), { GIT_DIR: '.git' })).toMatchObject({ root: at('plain') });
  });
});

it.skipIf(process.getuid?.() !== 0)(
  'the repository of another user is found where safe.directory names it, as git does',
  async () => {
    const home = mkdtempSync(at('home-'));
    const place = configured(CORE);
    execFileSync('chown', ['-R', '65534:65534', place]);
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'));
    expect([await foundByAndon(place), foundByGit(place)]).toEqual([undefined, undefined]);
    writeFileSync(join(home, '.gitconfig'), `[safe]\n\tdirectory = ${place}\n`);
    expect(await foundByAndon(place)).toEqual(foundByGit(place));
    expect(foundByGit(place)).toMatchObject({ root: place });
  },
);

describe('the version of git', () => {
  it('is told', async () => {
    expect(await readGitVersion(folder)).toEqual({
      ok: true,
      value: git(folder, 'version').replace('git version ', ''),
    });
  });

  it('is refused where it cannot build merges', async () => {
    vi.stubEnv('PATH', `${at('old-git')}:${process.env['PATH']}`);
    expect(await readGitVersion(folder)).toEqual({
      ok: false,
      why: { sentence: 'git 2.30.2 is too old; andon needs 2.38 or newer', remedy: 'update git' },
    });
  });
});
