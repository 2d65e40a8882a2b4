/** @module-tag thorough */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aHalt } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { judges, answerOnce } from '../support/scenario.ts';
import { PATH, resume, write } from '../support/versions.ts';

const MINE = '# Authentication\n\nA token is valid for 15 minutes and can be renewed once.\n';
const evidence = [{ file: PATH, line: 3, quote: 'A token is valid for 15 minutes and can be renewed once.' }];
const branch = (factory: Factory): string => factory.git('rev-parse', 'task/DOC-001');
const haltOf = async (factory: Factory): Promise<string | undefined> => (await factory.show('DOC-001')).halt?.id;

/** The task branch in a work tree of the user's own. */
function workTree(factory: Factory): string {
  const folder = join(factory.folder, 'mine');
  factory.git('worktree', 'add', '--quiet', folder, 'task/DOC-001');
  return folder;
}

describe('a task branch that is checked out', () => {
  test.each(['the main checkout', 'a work tree'])(
    'in %s is not moved by a new attempt: the path is refused in words until it is left',
    async (where) => {
      const { factory, dog } = await aHalt({ scenario: { implementer: [answerOnce(write(1)), write(2)] } });
      const at = branch(factory);
      const folder = where === 'a work tree' ? workTree(factory) : factory.repo;
      factory.git('-C', folder, 'switch', '--quiet', 'task/DOC-001');
      const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', '2');
      expect(code).toBe(1);
      expect(stderr).toContain(`task/DOC-001 is checked out in ${folder}`);
      expect(stderr).toContain(`git -C ${folder} switch --detach`);
      expect(await haltOf(factory)).toBe('DOC-001-1');
      expect(branch(factory)).toBe(at);
      expect(factory.git('-C', folder, 'status', '--porcelain', '--untracked-files=no')).toBe('');
      factory.git('-C', folder, 'switch', '--quiet', '--detach');
      await resume(factory, 2);
      await dog.until(async () => (await haltOf(factory)) === 'DOC-001-2' && factory.isHalted());
      expect(branch(factory)).not.toBe(at);
    },
  );

  test('while an agent works stops the line; the attempt is kept, and the checkout stays as it was', async () => {
    const { factory, dog } = await aHalt({
      scenario: {
        implementer: [answerOnce(write(1)), answerOnce({ ...write(2), does: [{ touch: 'at' }, { 'wait-for': 'go' }] })],
      },
    });
    const at = branch(factory);
    await resume(factory, 2);
    await dog.until(() => factory.signal.has('at'));
    const folder = workTree(factory);
    factory.signal.give('go');
    await dog.until(async () => (await haltOf(factory)) === 'DOC-001-2' && factory.isHalted());
    expect(factory.breaker()).toBe('fault');
    expect((await factory.show('DOC-001')).halt?.reason).toContain(`git -C ${folder} switch --detach`);
    expect(branch(factory)).toBe(at);
    expect(factory.git('-C', folder, 'status', '--porcelain')).toBe('');
    const pins = factory.git('for-each-ref', '--format=%(objectname)', 'refs/andon/DOC-001/').split('\n');
    expect(pins.map((pin) => factory.git('show', `${pin}:${PATH}`)).join('\n')).toContain('Version 2.');
    factory.git('worktree', 'remove', folder);
    await resume(factory, 1);
    await dog.until(async () => (await haltOf(factory)) === 'DOC-001-3' && factory.isHalted());
    expect(factory.breaker()).toBe('destructive_action');
    expect(factory.git('show', `task/DOC-001:${PATH}`)).toContain('Version 2.'); // it was paid for, so nobody is asked again
  });

  test('with commits of yours on it needs no move: they are gated and merged while it is checked out', async () => {
    const { factory, dog } = await aHalt({ scenario: { judge: [judges('PASS', { evidence })] } });
    const folder = workTree(factory);
    writeFileSync(join(folder, PATH), MINE);
    factory.git('-C', folder, 'commit', '--quiet', '--all', '--message=By hand');
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(MINE);
    expect(factory.git('-C', folder, 'status', '--porcelain')).toBe('');
  });

  test('in a work tree whose folder is gone hinders nothing', async () => {
    const { factory, dog } = await aHalt({ scenario: { implementer: [answerOnce(write(1)), write(2)] } });
    const folder = workTree(factory);
    rmSync(folder, { recursive: true });
    await resume(factory, 2);
    await dog.until(async () => (await haltOf(factory)) === 'DOC-001-2' && factory.isHalted());
    expect(factory.breaker()).toBe('destructive_action');
  });
});

describe('a new contract while a task branch is checked out', () => {
  test('goes into the one of main and master that is there', async () => {
    const factory = await aFactory();
    factory.git('switch', '--quiet', '--create', 'task/OLD-1');
    const { status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(factory.merges('main')).toHaveLength(1);
    expect(factory.git('rev-parse', 'task/OLD-1')).toBe(factory.git('rev-parse', 'main~2'));
  });

  test('is refused where no other branch is the obvious one; naming one helps', async () => {
    const factory = await aFactory();
    factory.git('branch', 'master');
    factory.git('switch', '--quiet', '--create', 'task/OLD-1');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md') !== undefined);
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('--branch');
    factory.drop(aContract({ 'git.base_branch': 'main' }));
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.merges('main')).toHaveLength(1);
  });

  test("never goes into another task's branch, even where that is named", async () => {
    const { factory, dog } = await aHalt();
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    factory.drop(aContract({ task_id: 'DOC-002', 'git.base_branch': 'task/DOC-001' }));
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md') !== undefined);
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('the branch of task DOC-001');
  });

  test('that is dropped again by `andon resume --again` keeps the target it had', async () => {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(write(1)), write(2)] } });
    factory.git('switch', '--quiet', '--create', 'trunk');
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    await dog.stop();
    factory.git('switch', '--quiet', 'task/DOC-001');
    const again = await factory.watch();
    expect((await factory.andon('retry', 'DOC-001')).stdout).toContain('is submitted again');
    await again.until(factory.isHalted);
    expect((await factory.andon('show', 'DOC-001', '--json')).stdout).toContain('trunk');
  });
});
