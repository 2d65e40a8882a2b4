import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';

const SLOW_JUDGE = { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })] };

describe('a line that moves', () => {
  test('with its repository goes on at its halt when its folder of state is renamed as the documentation says', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.stop();
    const moved = `${factory.repo}-moved`;
    renameSync(factory.repo, moved);
    const said = await factory.andonIn(moved, 'status');
    expect(said.stdout).toContain('moved or copied without it (docs/configuration.md says how to take it along)');

    const places = join(factory.folder, 'state/andon/repositories');
    const doctor = await factory.andonIn(moved, 'doctor');
    const now = / free in (\S+)/.exec(doctor.stdout)?.[1] ?? '';
    const [before = ''] = readdirSync(places).filter((name) => join(places, name) !== now);
    expect(existsSync(join(places, before, 'journal.sqlite'))).toBe(true);
    if (existsSync(now)) renameSync(now, `${now}.empty`);
    renameSync(join(places, before), now);
    expect(await factory.andonIn(moved, 'resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0, stderr: '' });
    const again = factory.start(['watch'], moved);
    await eventually(() => again.output().includes('-> merged'), 'the task is merged');
    again.child.kill('SIGINT');
    await again.ended;
    expect((await factory.andonIn(moved, 'verify')).code).toBe(0);
  });

  test('to another work tree leaves nothing behind that the first one would take for a new contract', async () => {
    const factory = await aFactory({ scenario: SLOW_JUDGE });
    const tree = join(factory.folder, 'tree');
    factory.git('worktree', 'add', '--quiet', '-b', 'other', tree);
    const dog = await factory.watch();
    factory.drop(aContract());
    await dog.until(() => factory.signal.has('judging'));
    await dog.kill9();
    factory.signal.give('go');
    const there = factory.start(['watch'], tree);
    await eventually(() => there.output().includes('-> merged'), 'the task is merged');
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
