/** @module-tag thorough */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headOf } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';

const NEW = ['new', '--id', 'DOC-001', '--allow', 'docs/', '--require', 'The login is described'];

function aWorkTree(factory: Factory): string {
  const tree = join(factory.folder, 'tree');
  factory.git('worktree', 'add', '--quiet', '-b', 'other', tree);
  return tree;
}

async function statusIn(factory: Factory, folder: string): Promise<Record<string, unknown>> {
  return JSON.parse((await factory.andonIn(folder, 'status', '--json')).stdout) as Record<string, unknown>;
}

describe('a repository with a linked work tree', () => {
  test('has one watchdog and one inbox, whichever checkout a command is typed in', async () => {
    const factory = await aFactory({ apart: true });
    const tree = aWorkTree(factory);
    const dog = await factory.watch();
    const second = await factory.andonIn(tree, 'watch');
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`works in this repository, in ${factory.repo}`),
    });
    const inbox = join(factory.repo, '_handoff');
    expect(await statusIn(factory, tree)).toMatchObject({ inbox, watchdog: { pid: dog.pid } });
    expect((await factory.andonIn(tree, 'status')).stdout).toContain(`the inbox of this repository is ${inbox}`);
    expect(await factory.andonIn(tree, 'pause')).toMatchObject({ code: 0 });
    const made = await factory.andonIn(tree, ...NEW);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`Submitted: ${inbox}/TASK_CONTRACT.json`) });
    for (const folder of [tree, factory.repo])
      expect((await factory.andonIn(folder, 'queue')).stdout).toContain('DOC-001');
    expect(await factory.andonIn(tree, 'unpause')).toMatchObject({ code: 0 });
    expect(await factory.end(dog)).toBe('merged');
    expect(existsSync(join(tree, '_handoff'))).toBe(false);
  });

  test('answers a halt by a command that is typed there', async () => {
    const factory = await aFactory({ apart: true });
    const tree = aWorkTree(factory);
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    expect(await statusIn(factory, tree)).toMatchObject({ task: { task_id: 'DOC-001' } });
    await dog.stop();
    expect(await factory.andonIn(tree, 'resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0 });
    expect(existsSync(join(tree, '_handoff'))).toBe(false);
    expect(factory.paper('ERIK_HALT.md')).toBeUndefined();
    expect(await factory.end(await factory.watch())).toBe('merged');
  });

  test.each([
    ['main checkout', 'work tree'],
    ['work tree', 'main checkout'],
    ['work tree', 'work tree'],
  ])('takes up in the %s, at the next watch, what was made before in the %s', async (watched, made) => {
    const factory = await aFactory({ apart: true });
    const tree = aWorkTree(factory);
    const at = (name: string): string => (name === 'work tree' ? tree : factory.repo);
    expect(await factory.andonIn(at(made), ...NEW)).toMatchObject({ code: 0 });
    const dog = factory.start(['watch'], at(watched));
    await eventually(() => /merged into \S+ as/.test(dog.output()), 'the task is merged');
    const inbox = join(at(watched), '_handoff');
    for (const folder of [tree, factory.repo]) expect(await statusIn(factory, folder)).toMatchObject({ inbox });
    expect(readFileSync(join(inbox, 'archive/DOC-001/TASK_CONTRACT.json'), 'utf8')).toContain('"merged"');
    dog.child.kill('SIGINT');
    await dog.ended;
    for (const folder of [tree, factory.repo]) expect(await statusIn(factory, folder)).toMatchObject({ inbox });
  });

  test('takes an answer to a halt along to the checkout that is watched next', async () => {
    const factory = await aFactory({ apart: true });
    const tree = aWorkTree(factory);
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.stop();
    writeFileSync(
      join(factory.handoff, 'DECISION.json'),
      JSON.stringify({ task_id: 'DOC-001', halt: 'DOC-001-1', path: 1, nonce: headOf(factory, 'nonce') }),
    );
    const there = factory.start(['watch'], tree);
    await eventually(() => /merged into \S+ as/.test(there.output()), 'the answer is taken');
    expect(there.output()).toContain(`moved 1 file from ${factory.repo}/_handoff`);
    expect(factory.paper('DECISION.json')).toBeUndefined();
    there.child.kill('SIGINT');
    await there.ended;
  });

  test('goes by the main checkout again when the watched work tree is removed', async () => {
    const factory = await aFactory({ apart: true });
    const tree = aWorkTree(factory);
    const dog = factory.start(['watch'], tree);
    await eventually(() => dog.output().includes('watches'), 'it is watched');
    dog.child.kill('SIGINT');
    await dog.ended;
    factory.git('worktree', 'remove', '--force', tree);
    expect(await statusIn(factory, factory.repo)).toMatchObject({ inbox: join(factory.repo, '_handoff') });
  });

  test('does not follow a noted inbox that is no checkout of it', async () => {
    const factory = await aFactory();
    const stranger = join(factory.folder, 'stranger');
    mkdirSync(stranger);
    mkdirSync(join(factory.repo, '.git/andon'));
    writeFileSync(join(factory.repo, '.git/andon/inbox'), stranger);
    expect(await statusIn(factory, factory.repo)).toMatchObject({ inbox: join(factory.repo, '_handoff') });
  });
});
