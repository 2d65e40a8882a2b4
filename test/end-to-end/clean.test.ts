/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, createReply, writes } from '../support/scenario.ts';

const refs = (factory: Factory): readonly string[] =>
  factory.git('for-each-ref', '--format=%(refname)', 'refs/andon/', 'refs/heads/task/').split('\n');

test('andon clean lists first, removes it with --yes, beside a watchdog too, and verify stays green', async () => {
  const factory = await aFactory({
    scenario: {
      implementer: [writes({ 'docs/auth_final.md': FINAL }), createReply('no'), createReply('no'), createReply('no')],
    },
  });
  const { dog, status } = await factory.run(aContract());
  expect(status).toBe('merged');
  const before = refs(factory);
  expect(before).toContain('refs/heads/task/DOC-001');

  expect((await factory.andon('clean')).stdout).toContain('nothing to remove'); // 90 days
  const listed = await factory.andon('clean', '--older-than', '0d', '--attempts');
  for (const what of ['refs/heads/task/DOC-001', 'refs/andon/DOC-001/1', '_handoff/archive/DOC-001'])
    expect(listed.stdout).toContain(`${what}\n`);
  expect(listed.stdout).toContain('Nothing was removed');
  expect(refs(factory)).toEqual(before);

  const states = join(factory.folder, 'state/andon/repositories');
  const [own = ''] = readdirSync(states);
  const prepared = join(states, own, 'setup/old');
  mkdirSync(prepared, { recursive: true });
  const { code, stdout: json } = await factory.andon('clean', '--older-than', '0d', '--yes', '--attempts', '--json');
  expect(code).toBe(0);
  const result = JSON.parse(json) as Record<'files' | 'stayed', readonly { path: string }[]>;
  expect(result).toMatchObject({
    removed: true,
    tasks: [{ taskId: 'DOC-001', refs: expect.arrayContaining([expect.objectContaining({ ref: before[0] })]) }],
    stayed: [{ path: prepared }], // a watchdog runs
  });
  expect([prepared, ...result.files.map(({ path }) => path)].map((path) => existsSync(path))).toEqual([
    true,
    ...result.files.map(() => false),
  ]);
  expect(refs(factory)).toEqual(['refs/andon/DOC-001/merged']);
  expect(factory.paper('archive/DOC-001/TASK_CONTRACT.json')).toBeUndefined();
  expect(await factory.andon('verify')).toMatchObject({ code: 0 });
  expect((await factory.andon('logs')).stdout).toContain('its archive removed');
  await dog.stop();
  await factory.andon('clean', '--older-than', '0d', '--yes');
  expect(existsSync(prepared)).toBe(false);
  expect((await factory.andon('clean', '--older-than', '0d')).stdout).toContain('nothing to remove');
  expect(await factory.andon('clean', '--older-than', 'soon')).toMatchObject({ code: 2 });

  // The state of a repository that is gone, and of no other.
  const others = ['gone', 'there'].map((name) => join(factory.folder, 'others', name));
  for (const other of others) {
    mkdirSync(other, { recursive: true });
    execFileSync('git', ['clone', '--quiet', factory.repo, other], { env: factory.env });
    await factory.andonIn(other, 'pause');
  }
  const [gone = '', there = ''] = others;
  rmSync(gone, { recursive: true });
  const { stdout } = await factory.andon('clean', '--older-than', '0d');
  expect(stdout).toContain(`(gone: ${gone})`);
  expect(stdout).not.toContain(there);
  const state =
    stdout
      .split('\n')
      .find((line) => line.includes('(gone: '))
      ?.split(' (gone')[0] ?? '';
  expect(state).toContain(states);
  await factory.andon('clean', '--older-than', '0d', '--yes');
  expect(existsSync(state)).toBe(false);
  expect(await factory.andonIn(there, 'status')).toMatchObject({ stdout: expect.stringContaining('paused') });
});

test('andon clean keeps open tasks, attempts that nothing else keeps, and commits of a human, unless it is asked', async () => {
  const factory = await aFactory();
  await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
  const open = refs(factory);
  await factory.andon('clean', '--older-than', '0d', '--yes', '--attempts');
  expect(refs(factory)).toEqual(open); // it is halted, not ended
  expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);

  const kept = await factory.andon('clean', '--older-than', '0d', '--yes');
  expect(kept.stderr).toContain('kept nowhere else (--attempts)');
  expect(refs(factory)).toContain('refs/andon/DOC-001/1');

  const mine = factory.git('commit-tree', 'refs/andon/DOC-001/1^{tree}', '-p', 'refs/andon/DOC-001/1', '-m', 'Mine');
  factory.git('update-ref', 'refs/heads/task/DOC-001', mine);
  const asked = await factory.andon('clean', '--older-than', '0d', '--yes', '--attempts');
  expect(asked.stderr).toContain('the branch task/DOC-001: its commits are kept nowhere else');
  expect(factory.git('rev-parse', 'task/DOC-001')).toBe(mine);
  expect(refs(factory)).not.toContain('refs/andon/DOC-001/1');
  expect(await factory.andon('verify')).toMatchObject({ code: 0 });

  // A kill after the entry and before the refs: they are still there, and the next clean removes them.
  factory.git('update-ref', 'refs/andon/DOC-001/1', `${mine}^`);
  expect(await factory.andon('verify')).toMatchObject({ code: 0 });
  await factory.andon('clean', '--older-than', '0d', '--yes', '--attempts');
  expect(refs(factory)).toEqual(['refs/heads/task/DOC-001']);
});
