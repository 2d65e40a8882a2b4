/** @module-tag thorough */
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`;
const HOOKS = [
  'applypatch-msg commit-msg post-checkout post-commit post-index-change post-merge post-rewrite pre-auto-gc pre-commit',
  'pre-merge-commit pre-push pre-rebase prepare-commit-msg reference-transaction update fsmonitor-watchman',
].flatMap((row) => row.split(' '));
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

async function expectMerged(factory: Factory): Promise<void> {
  expect((await factory.run(aContract())).status).toBe('merged');
  expect(factory.git('show', `main:${PATH}`)).toBe(FINAL.trimEnd());
  expect(factory.git('status', '--porcelain')).toBe('');
}

/** Writes every file anew, as git does with the settings that hold now. */
function checkedOutAnew(factory: Factory): void {
  rmSync(join(factory.repo, 'docs'), { recursive: true });
  factory.git('checkout', '--quiet', '--', '.');
}

describe('the settings of git', () => {
  test('hooks that fail: none runs, whatever it guards, and none holds a merge up', async () => {
    const factory = await aFactory();
    const fired = join(factory.folder, 'fired');
    for (const hook of HOOKS) {
      const file = join(factory.repo, '.git/hooks', hook);
      writeFileSync(file, `#!/bin/sh\necho ${hook} >> '${fired}'\nexit 1\n`);
      chmodSync(file, 0o755);
    }
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read(PATH)).toBe(FINAL);
    expect(await factory.andon('undo', 'DOC-001')).toMatchObject({ code: 0 });
    expect(readdirSync(factory.folder)).not.toContain('fired');
  });

  test('no name and no address anywhere, and a demand for signatures: andon signs its own name and nothing else', async () => {
    const factory = await aFactory();
    factory.git('config', '--unset', 'user.name');
    factory.git('config', '--unset', 'user.email');
    for (const [key, value] of [
      ['user.useConfigOnly', 'true'],
      ['commit.gpgSign', 'true'],
      ['gpg.program', '/nowhere/gpg'],
      ['merge.ff', 'false'],
    ] as const)
      factory.git('config', key, value);
    await expectMerged(factory);
    expect(new Set(factory.git('log', '--format=%an <%ae> %G?', 'main', '--not', 'main^').split('\n'))).toEqual(
      new Set(['andon <andon@localhost> N']),
    );
  });

  test.each([
    ['merge.verifySignatures', 'true'],
    ['branch.main.mergeOptions', '--squash --verify-signatures'],
  ])('demand signed merges (%s = %s): a contract is refused before anything is paid', async (key, value) => {
    const factory = await aFactory();
    factory.git('config', key, value);
    const before = factory.snapshot('refs/heads/none');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('git merges only signed commits into main');
    expect((await factory.andon('doctor')).stdout).toContain('git config commit.gpgSign true');
    expect(factory.calls()).toEqual([]);
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test.each([
    ['merge.verifySignatures', 'true'],
    ['branch.main.mergeOptions', '--squash --verify-signatures'],
  ])('demand signed merges meanwhile (%s = %s): the line halts in git’s own words', async (key, value) => {
    const implementer = [{ ...writes({ [PATH]: FINAL }), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }];
    const factory = await aFactory({ scenario: { implementer } });
    const dog = await factory.begin(aContract(), 'at');
    factory.git('config', key, value);
    const before = factory.snapshot('refs/heads/none');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    expect(factory.paper('ERIK_HALT.md')).toContain('does not have a GPG signature');
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test.each([
    ['pull.twohead', 'ours'],
    ['branch.main.mergeOptions', '--strategy=ours'],
    ['branch.main.mergeOptions', '--squash'],
    ['branch.main.mergeOptions', '--no-ff --no-commit --log'],
    ['branch.main.mergeOptions', '--no-such-option'],
  ])(
    'say how you merge yourself (%s = %s): what was judged is merged all the same, whole and as it is',
    async (key, value) => {
      const factory = await aFactory();
      factory.git('config', key, value);
      await expectMerged(factory);
      const [merge = ''] = factory.merges();
      expect((await factory.show('DOC-001')).merged_as).toBe(merge);
      expect(factory.git('log', '--format=%an', 'main', '--not', 'main^1')).not.toContain('Erik');
    },
  );

  test('say how you merge yourself, also into a branch whose name no command line can give a setting to', async () => {
    const factory = await aFactory();
    factory.git('switch', '--quiet', '--create', 'release=1.x');
    factory.git('config', 'branch.release=1.x.mergeOptions', '--squash');
    expect((await factory.run(aContract({ 'git.base_branch': 'release=1.x' }))).status).toBe('merged');
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test.each([
    ['home/.gitconfig', '[core]\n\tautocrlf = true\n'],
    ['config/git/config', '[core]\n\tautocrlf = true\n'],
    ['config/git/attributes', '*.md text eol=crlf\n'],
  ])('in %s decide how lines end in the checkout; in git they end as before', async (file, text) => {
    const factory = await aFactory({
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/auth_v1.md': '# Authentication\n\nNew.\n' })] },
    });
    mkdirSync(join(factory.folder, 'config/git'));
    writeFileSync(join(factory.folder, file), text);
    checkedOutAnew(factory);
    await factory.run(aContract({ 'constraints.allow_deletes': true, 'breaker.max_delete_ratio': 0.9 }));
    expect(factory.read(PATH)).toBe(crlf(FINAL));
    expect(factory.read('docs/auth_v1.md')).toBe('# Authentication\r\n\r\nNew.\r\n');
    expect(factory.git('cat-file', 'blob', `main:${PATH}`)).not.toContain('\r');
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('and .gitattributes do so too', async () => {
    const factory = await aFactory({ files: { '.gitattributes': '*.md text eol=crlf\n' } });
    checkedOutAnew(factory);
    await expectMerged(factory);
    expect(factory.read(PATH)).toBe(crlf(FINAL));
  });
});

describe('a filter of .gitattributes', () => {
  const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text\ndocs/secret* filter=crypt\n';

  test('(git-lfs, which is not installed) is left alone with its files, and pointers stay pointers', async () => {
    const factory = await aFactory({ files: { '.gitattributes': attributes } });
    factory.write('docs/model.bin', POINTER);
    utimesSync(join(factory.repo, 'docs/model.bin'), new Date(), new Date(Date.now() - 3_600_000));
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=A pointer');
    for (const [key, value] of [
      ['clean', 'git-lfs clean -- %f'],
      ['smudge', 'git-lfs smudge -- %f'],
      ['process', 'git-lfs filter-process'],
      ['required', 'true'],
    ] as const)
      factory.git('config', `filter.lfs.${key}`, value);
    await expectMerged(factory);
    expect(factory.read('docs/model.bin')).toBe(POINTER);
    expect(factory.git('cat-file', 'blob', 'main:docs/model.bin')).toBe(POINTER.trimEnd());
  });

  test('(git-crypt, say) is never left out: a change that would go through it is refused, and nothing is stored raw', async () => {
    const factory = await aFactory({
      files: { '.gitattributes': attributes, 'docs/secret.txt': 'hush\n' },
      scenario: {
        implementer: [
          answerOnce(writes({ [PATH]: FINAL, 'docs/secret.txt': 'told\n' })),
          answerOnce(writes({ [PATH]: FINAL, 'docs/secret-2.txt': 'told\n' })),
          writes({ [PATH]: FINAL }),
        ],
      },
    });
    for (const way of ['clean', 'smudge']) factory.git('config', `filter.crypt.${way}`, 'tr a-z n-za-m');
    factory.git('config', 'filter.crypt.required', 'true');
    factory.git('add', '--renormalize', 'docs/secret.txt');
    factory.git('commit', '--quiet', '--message=Encrypted');
    await expectMerged(factory);
    expect(factory.calls('implementer')).toHaveLength(3);
    expect(factory.git('cat-file', 'blob', 'main:docs/secret.txt')).toBe('uhfu');
    expect(factory.read('docs/secret.txt')).toBe('hush\n');
    const commits = factory.git('for-each-ref', '--format=%(objectname)').split('\n');
    expect(() => factory.git('grep', '--quiet', 'told', ...commits)).toThrow();
  });

  test('of your own, which fails, halts the line before one file of yours is written', async () => {
    const factory = await aFactory({
      files: { 'docs/a.txt': 'a\n' },
      scenario: { implementer: [writes({ [PATH]: FINAL, 'docs/a.txt': 'b\n' })] },
    });
    writeFileSync(join(factory.repo, '.git/info/attributes'), `${PATH} filter=mine\n`);
    factory.git('config', 'filter.mine.smudge', 'false');
    factory.git('config', 'filter.mine.required', 'true');
    const before = factory.snapshot('refs/heads/none');
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('merge_blocked');
    expect(factory.paper('ERIK_HALT.md')).toContain(`${PATH}: smudge filter mine failed`);
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
  });

  test.each([
    [
      'a target that goes through it',
      { target_file: 'docs/secret-3.txt' },
      'goes through crypt, which andon does not run',
    ],
    ['a pointer as a source', { source_files: [{ path: 'docs/model.bin' }] }, 'a pointer of git-lfs'],
  ])('refuses a contract with %s', async (_, specification, says) => {
    const factory = await aFactory({ files: { '.gitattributes': attributes, 'docs/model.bin': POINTER } });
    factory.drop(aContract({ specification: { requirements: ['x'], ...specification } }));
    const file = join(factory.handoff, 'TASK_CONTRACT.json');
    const { code, stdout, stderr } = await factory.andon('contract', 'lint', file);
    expect({ code, says: `${stdout}${stderr}` }).toEqual({ code: 2, says: expect.stringContaining(says) });
    expect(readFileSync(file, 'utf8')).toContain('DOC-001');
  });
});
