/** @module-tag thorough */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { gitIn } from '../support/places.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
const modeOf = (factory: Factory, path: string): string =>
  (lstatSync(join(factory.repo, path)).mode & 0o777).toString(8);
const commit = (factory: Factory): void => {
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=More');
};

/** Puts a library into the project as a submodule at `docs/lib`. */
function withSubmodule(factory: Factory): void {
  const library = join(factory.folder, 'library');
  gitIn(factory, factory.folder, 'init', '--quiet', '--initial-branch=main', library);
  writeFileSync(join(library, 'lib.md'), 'library\n');
  gitIn(factory, library, 'add', '--all');
  gitIn(factory, library, 'commit', '--quiet', '--message=Library');
  gitIn(factory, factory.repo, 'submodule', '--quiet', 'add', library, 'docs/lib');
  factory.git('commit', '--quiet', '--message=With a library');
}

describe('a change', () => {
  test('keeps line ends, byte order mark and executable bit, gives none, and leaves links and binary files alone', async () => {
    const files = {
      'docs/crlf.txt': 'one\r\ntwo\r\n',
      'docs/bom.txt': '\ufeffone\ntwo\n',
      'docs/both.txt': '\ufeffone\r\ntwo\r\n',
      'docs/run.sh': '#!/bin/sh\necho old\n',
      'docs/zeros.bin': 'a\0b\n',
    };
    const factory = await aFactory({
      files,
      scenario: {
        implementer: [
          writes({
            [PATH]: FINAL,
            'docs/crlf.txt': 'one\nTWO\n',
            'docs/bom.txt': 'one\nTWO\n',
            'docs/both.txt': 'one\nTWO\n',
            'docs/run.sh': '#!/bin/sh\necho new\n',
            'docs/new.sh': '#!/bin/sh\necho first\n',
          }),
        ],
      },
    });
    chmodSync(join(factory.repo, 'docs/run.sh'), 0o755);
    symlinkSync('auth_v1.md', join(factory.repo, 'docs/link.md'));
    symlinkSync('/nowhere', join(factory.repo, 'docs/broken'));
    commit(factory);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/crlf.txt')).toBe('one\r\nTWO\r\n');
    expect(factory.read('docs/bom.txt')).toBe('\ufeffone\nTWO\n');
    expect(factory.read('docs/both.txt')).toBe('\ufeffone\r\nTWO\r\n');
    expect([modeOf(factory, 'docs/run.sh'), modeOf(factory, 'docs/new.sh')]).toEqual(['755', '644']);
    expect(readlinkSync(join(factory.repo, 'docs/link.md'))).toBe('auth_v1.md');
    expect(readlinkSync(join(factory.repo, 'docs/broken'))).toBe('/nowhere');
    expect(factory.read('docs/zeros.bin')).toBe(files['docs/zeros.bin']);
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('reaches files with strange names, and leaves the ones it may not name as they are', async () => {
    const may = ['docs/two words.md', 'docs/ü.md', 'docs/💥.md', "docs/it's.md", 'docs/$HOME.md', 'docs/(x) [y] %s.md'];
    const mayNot = [
      'docs/u\u0308x.md',
      'docs/tab\t.md',
      'docs/two\nlines.md',
      'docs/Icon\r',
      'docs/back\\slash.md',
      'docs/blank .md ',
    ];
    const names = [...may, ...mayNot, 'docs/-dash.md', 'docs/"quoted".md', '-top.md', ' leading.md'];
    const factory = await aFactory({
      files: Object.fromEntries(names.map((name) => [name, 'old\n'])),
      scenario: {
        implementer: [
          writes({
            [PATH]: FINAL,
            'docs/new ü 💥.md': 'new\n',
            ...Object.fromEntries(may.map((name) => [name, 'new\n'])),
          }),
        ],
      },
    });
    factory.git('config', 'core.quotePath', 'true');
    factory.git('config', 'core.precomposeUnicode', 'true');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(names.filter((name) => factory.read(name) === 'new\n')).toEqual(may);
    expect(factory.read('docs/new ü 💥.md')).toBe('new\n');
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('never makes a twin that differs only in case; twins that are there are told apart', async () => {
    const factory = await aFactory({
      files: { 'docs/Readme.md': 'large\n', 'docs/readme.md': 'small\n' },
      scenario: {
        implementer: [
          answerOnce(writes({ [PATH]: FINAL, 'docs/AUTH_V1.md': 'twin\n' })),
          writes({ [PATH]: FINAL, 'docs/readme.md': 'small, changed\n' }),
        ],
      },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(2);
    expect([factory.read('docs/Readme.md'), factory.read('docs/readme.md')]).toEqual(['large\n', 'small, changed\n']);
    expect(factory.has('docs/AUTH_V1.md')).toBe(false);
  });

  test('never reaches into a submodule or through a link, though its scope covers them', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [
          answerOnce(writes({ [PATH]: FINAL, 'docs/lib/new.md': 'x\n' })),
          answerOnce(writes({ [PATH]: FINAL, 'docs/away/new.md': 'x\n' })),
          writes({ [PATH]: FINAL }),
        ],
      },
    });
    withSubmodule(factory);
    mkdirSync(join(factory.folder, 'outside'));
    symlinkSync(join(factory.folder, 'outside'), join(factory.repo, 'docs/away'));
    commit(factory);
    factory.git('config', 'submodule.recurse', 'true');
    writeFileSync(join(factory.repo, 'docs/lib/mine.md'), 'mine\n');
    const before = factory.git('rev-parse', 'main:docs/lib', 'main:docs/away');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(3);
    expect(factory.git('rev-parse', 'main:docs/lib', 'main:docs/away')).toBe(before);
    expect(readdirSync(join(factory.repo, 'docs/lib')).toSorted()).toEqual(['.git', 'lib.md', 'mine.md']);
    expect(readdirSync(join(factory.folder, 'outside'))).toEqual([]);
  });
});

describe('what lies in the way of a merge stays as it is, and the line halts:', () => {
  test.each([
    [
      'a file that git ignores',
      (factory: Factory) => writeFileSync(join(factory.repo, '.git/info/exclude'), `${PATH}\n`),
      PATH,
    ],
    ['an edited file', (factory: Factory) => (factory.write(PATH, 'first\n'), commit(factory)), PATH],
    ['a folder of that name', () => {}, `${PATH}/precious`],
  ] as const)('%s', async (_, prepare, mine) => {
    const factory = await aFactory();
    prepare(factory);
    factory.write(mine, 'precious\n');
    const before = factory.snapshot('refs/heads/none');
    const { status } = await factory.run(aContract());
    expect({ status, breaker: factory.breaker() }).toEqual({ status: 'erik_consultation', breaker: 'merge_blocked' });
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test('a file of yours where the change has a folder', async () => {
    const factory = await aFactory({
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/own/new.md': 'x\n' })] },
    });
    factory.write('docs/own', 'precious\n');
    const before = factory.snapshot('refs/heads/none');
    const { status } = await factory.run(aContract());
    expect({ status, breaker: factory.breaker() }).toEqual({ status: 'erik_consultation', breaker: 'merge_blocked' });
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test('a repository of your own inside the checkout', async () => {
    const factory = await aFactory({
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/own/new.md': 'x\n' })] },
    });
    const own = join(factory.repo, 'docs/own');
    gitIn(factory, factory.folder, 'init', '--quiet', own);
    writeFileSync(join(own, 'mine.md'), 'mine\n');
    const before = factory.snapshot('refs/heads/none');
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain('docs/own is a repository of its own');
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });
});

describe('a contract is refused that names', () => {
  test.each([
    ['a link as its target', { target_file: 'docs/link.md' }, 'docs/link.md is a symbolic link'],
    ['a file in a submodule as its target', { target_file: 'docs/lib/lib.md' }, 'docs/lib is a submodule'],
    [
      'a target that differs from a file in case',
      { target_file: 'docs/AUTH_V1.md' },
      'docs/auth_v1.md in more than its spelling',
    ],
    ['a link as a source', { source_files: [{ path: 'docs/link.md' }] }, 'docs/link.md is a symbolic link'],
    ['a binary file as a source', { source_files: [{ path: 'docs/zeros.bin' }] }, 'a text file in UTF-8'],
    ['a file in Latin-1 as a source', { source_files: [{ path: 'docs/latin.txt' }] }, 'a text file in UTF-8'],
  ])('%s', async (_, specification, says) => {
    const factory = await aFactory({ files: { 'docs/zeros.bin': 'a\0b\n' } });
    symlinkSync('auth_v1.md', join(factory.repo, 'docs/link.md'));
    writeFileSync(join(factory.repo, 'docs/latin.txt'), Buffer.from([0xfc, 0x0a]));
    commit(factory);
    withSubmodule(factory);
    factory.drop(aContract({ specification: { requirements: ['x'], ...specification } }));
    const { code, stderr, stdout } = await factory.andon(
      'contract',
      'lint',
      join(factory.handoff, 'TASK_CONTRACT.json'),
    );
    expect({ code, says: `${stdout}${stderr}` }).toEqual({ code: 2, says: expect.stringContaining(says) });
    expect(readFileSync(join(factory.repo, 'docs/auth_v1.md'), 'utf8')).toContain('Authentication');
  });
});
