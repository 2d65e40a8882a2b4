/** @module-tag thorough */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';

const SLOW_JUDGE = { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })] };

describe('a line that moves', () => {
  test('with its repository goes on at its halt, and what andon keeps of it goes along', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.stop();
    const moved = `${factory.repo}-moved`;
    renameSync(factory.repo, moved);
    expect(await factory.andonIn(moved, 'resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0, stderr: '' });
    const again = factory.start(['watch'], moved);
    await eventually(() => /merged into \S+ as/.test(again.output()), 'the task is merged');
    expect(existsSync(factory.repo)).toBe(false);
    again.child.kill('SIGINT');
    await again.ended;
    expect((await factory.andonIn(moved, 'verify')).code).toBe(0);
  });

  test('with its repository while an agent works ends, makes nothing at the old path, and goes on at the new one', async () => {
    const factory = await aFactory({ scenario: SLOW_JUDGE });
    const dog = factory.start(['watch']);
    factory.drop(aContract());
    await eventually(() => factory.signal.has('judging'), 'the judge works');
    const moved = `${factory.repo}-moved`;
    renameSync(factory.repo, moved);
    expect((await dog.ended).code).toBe(1);
    expect(dog.output()).toContain(`the watched one is at ${moved}`);
    expect(existsSync(factory.repo)).toBe(false);
    factory.signal.give('go');
    const again = factory.start(['watch'], moved);
    await eventually(() => /merged into \S+ as/.test(again.output()), 'the task is merged');
    again.child.kill('SIGINT');
    await again.ended;
    expect(again.output()).toContain('its journal was taken along');
    expect(existsSync(factory.repo)).toBe(false);
  });

  test('to another work tree leaves nothing behind that the first one would take for a new contract', async () => {
    const factory = await aFactory({ apart: true, scenario: SLOW_JUDGE });
    const tree = join(factory.folder, 'tree');
    factory.git('worktree', 'add', '--quiet', '-b', 'other', tree);
    const dog = await factory.begin(aContract(), 'judging');
    await dog.kill9();
    factory.signal.give('go');
    const there = factory.start(['watch'], tree);
    await eventually(() => /merged into \S+ as/.test(there.output()), 'the task is merged');
    there.child.kill('SIGINT');
    await there.ended;
    expect(factory.face()).toBeDefined();
    const again = await factory.watch();
    await eventually(() => factory.face() === undefined, 'the old papers are put away');
    expect(factory.archivedAs('DOC-001')).toBe('merged');
    expect([factory.paper('CONTRACT_REJECTED.md'), factory.paper('REVIEW_IN_PROGRESS.md')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(again.output()).not.toContain('refused');
  });
});
