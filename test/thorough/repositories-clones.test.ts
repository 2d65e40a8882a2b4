/** @module-tag thorough */
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { gitIn, movedAway } from '../support/places.ts';
import { FINAL, judges, answerOnce } from '../support/scenario.ts';

const SLOW = [answerOnce(judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })), judges('PASS')];

/** Puts a clone of the repository in its place; the original is where the answer says. */
function cloned(factory: Factory, ...options: readonly string[]): string {
  const origin = movedAway(factory);
  gitIn(factory, origin, 'config', 'uploadpack.allowFilter', 'true');
  gitIn(factory, factory.folder, 'clone', '--quiet', ...options, `file://${origin}`, factory.repo);
  factory.git('config', 'user.name', 'Erik');
  factory.git('config', 'user.email', 'erik@example.org');
  return origin;
}

async function expectMerged(factory: Factory): Promise<void> {
  expect((await factory.run(aContract())).status).toBe('merged');
  expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  expect(factory.git('status', '--porcelain')).toBe('');
}

describe('a clone', () => {
  test('that is shallow stays shallow, also when its target moves meanwhile and the task is undone', async () => {
    const factory = await aFactory({ scenario: { judge: SLOW } });
    factory.git('commit', '--quiet', '--allow-empty', '--message=Second');
    cloned(factory, '--depth=1');
    const end = readFileSync(join(factory.repo, '.git/shallow'), 'utf8');
    const dog = await factory.begin(aContract(), 'judging');
    factory.write('README.md', '# By hand\n');
    factory.git('commit', '--quiet', '--all', '--message=By hand');
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(readFileSync(join(factory.repo, '.git/shallow'), 'utf8')).toBe(end);
    expect(factory.git('fsck', '--no-dangling')).toBe('');
    expect(await factory.andon('undo', 'DOC-001')).toMatchObject({ code: 0 });
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('that is sparse stays sparse: what was merged outside its cone is in git and not on disk', async () => {
    const factory = await aFactory({ files: { 'src/a.ts': 'a\n' } });
    factory.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src');
    const before = readdirSync(factory.repo);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.git('show', 'main:docs/auth_final.md')).toBe(FINAL.trimEnd());
    expect(readdirSync(factory.repo).filter((name) => name !== '_handoff')).toEqual(before);
    expect(factory.git('sparse-checkout', 'list')).toBe('src');
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('that is partial is refused with the command that completes it, without a word over the network; then it works', async () => {
    const factory = await aFactory();
    const origin = cloned(factory, '--filter=blob:none', '--no-checkout');
    factory.git('sparse-checkout', 'set', 'nothing');
    factory.git('checkout', '--quiet', 'main');
    const objects = factory.git('count-objects', '--verbose');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('git fetch --refetch --no-filter'));
    expect((await factory.andon('doctor')).stdout).toContain('not whole in this partial clone: 2 of its objects');
    expect(factory.git('count-objects', '--verbose')).toBe(objects);
    expect(existsSync(origin)).toBe(true);
    factory.git('fetch', '--quiet', '--refetch', '--no-filter');
    await dog.until(() => factory.isMerged());
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('that borrows its objects, by a relative path', async () => {
    const factory = await aFactory();
    gitIn(factory, factory.folder, 'clone', '--quiet', '--shared', movedAway(factory), factory.repo);
    writeFileSync(join(factory.repo, '.git/objects/info/alternates'), '../../../origin/.git/objects\n');
    await expectMerged(factory);
  });

  test('whose refs are packed, whose history is grafted, and whose work trees have settings of their own', async () => {
    const factory = await aFactory();
    for (const message of ['Second', 'Third'])
      factory.git('commit', '--quiet', '--allow-empty', `--message=${message}`);
    factory.git('replace', '--graft', 'main');
    factory.git('config', 'extensions.worktreeConfig', 'true');
    factory.git('config', '--worktree', 'core.ignoreCase', 'true');
    factory.git('pack-refs', '--all');
    const replaced = factory.git('replace', '--list');
    await expectMerged(factory);
    expect(factory.git('replace', '--list')).toBe(replaced);
    expect(factory.merges()).toHaveLength(1);
  });

  test('merges into the default branch of its origin, whatever it is called, and nothing is ever pushed', async () => {
    const factory = await aFactory();
    factory.git('branch', '--move', 'trunk');
    const origin = cloned(factory);
    factory.git('switch', '--quiet', '--create', 'mine');
    const hook = join(factory.repo, '.git/hooks/pre-push');
    writeFileSync(hook, `#!/bin/sh\ntouch ${factory.folder}/pushed\n`);
    chmodSync(hook, 0o755);
    const before = gitIn(factory, origin, 'for-each-ref');
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.merges('trunk')).toHaveLength(1);
    expect(factory.merges('mine')).toEqual([]);
    expect(gitIn(factory, origin, 'for-each-ref')).toBe(before);
    expect(factory.has('../pushed')).toBe(false);
  });
});

test('a task in a repository of 27,000 files, with one of 12 MB in its scope, is merged', async () => {
  const factory = await aFactory();
  const blob = `blob\nmark :1\ndata 60\n${'0123456789\n'.repeat(6).slice(0, 60)}\n`;
  const huge = `${'x'.repeat(99)}\n`.repeat(120_000);
  const files = Array.from({ length: 27_000 }, (_, at) => `M 100644 :1 src/part-${at % 270}/file-${at}.txt\n`);
  const commit = `commit refs/heads/main\ncommitter E <e@x.org> 1700000000 +0000\ndata 4\nmany\nfrom refs/heads/main^0\n`;
  writeFileSync(
    join(factory.folder, 'stream'),
    `${blob}${commit}${files.join('')}M 100644 inline docs/huge.txt\ndata ${huge.length}\n${huge}\ndone\n`,
  );
  gitIn(
    factory,
    factory.repo,
    '-c',
    'core.fsync=none',
    '-c',
    'alias.load=!git fast-import --quiet --done <../stream',
    'load',
  );
  factory.git('reset', '--quiet', '--hard');
  const began = performance.now();
  expect((await factory.run(aContract())).status).toBe('merged');
  console.log(`27,000 files: ${Math.round(performance.now() - began)} ms from the start of andon to the end`);
  expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  expect(factory.git('status', '--porcelain')).toBe('');
});
