import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { choose } from '../support/answers.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { aSlowDisk } from '../support/slow-disk.ts';
import { drop, each, merged, queueOf, task } from '../support/queue-of-documents.ts';

const page = (factory: Factory): string => factory.paper('CONTRACT_REJECTED.md') ?? '';

describe('a contract that comes after others', () => {
  test('waits until they are merged, and begins then at once, whatever its priority and the order of dropping', async () => {
    const factory = await aFactory(each('A', 'B', 'C'));
    drop(factory, 'C', { after: ['B'], priority: 9 });
    drop(factory, 'B', { after: ['A'] });
    drop(factory, 'A');
    const shown = await factory.andon('queue');
    expect(shown.stdout).toMatch(
      /^1 {2}A {2}is next\n2 {2}B {2}waits for A, which comes before it\n3 {2}C {2}waits for B/,
    );
    for (const view of [[], ['--diff']])
      expect((await factory.andon('show', 'B', ...view)).stderr).toContain(
        'B has not begun: it waits for A, which comes before it.',
      );
    const dog = await factory.watch();
    await dog.until(() => factory.isMerged('C'));
    expect(merged(factory)).toEqual(['A', 'B', 'C']);
    expect(dog.output()).not.toContain('refused');
  });

  test(
    'is told of a halted one before it, lets others pass, and begins when that one is merged after all',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory(each('A', 'B', 'C'));
      const dog = await factory.begin(task('A', { 'constraints.max_diff_size': 3 }));
      await dog.until(() => factory.isHalted());
      drop(factory, 'B', { after: ['A'] });
      expect(await queueOf(factory)).toMatchObject([
        {
          task_id: 'B',
          waits_for: 'another task',
          tasks: ['A'],
          why: 'waits for A, which is halted and needs you',
        },
      ]);
      const status = await factory.andon('status');
      expect(status.stdout).toContain('_handoff/queue/B.json waits for A, which is halted and needs you');
      choose(factory, 1);
      await dog.until(() => factory.isMerged('B'));
      expect(merged(factory)).toEqual(['A', 'B']);
    },
  );

  test('leaves the place free when it was dropped there', { tags: 'thorough' }, async () => {
    const factory = await aFactory(each('A', 'B', 'C'));
    const dog = await factory.watch();
    expect((await factory.andon('pause')).code).toBe(0);
    drop(factory, 'B', { priority: -1 });
    drop(factory, 'C');
    factory.drop(task('A', { after: ['B'] }));
    expect((await factory.andon('unpause')).code).toBe(0);
    await dog.until(() => factory.isMerged('A'));
    expect(merged(factory)).toEqual(['C', 'B', 'A']);
    expect(dog.output()).toContain('A is in _handoff/queue/A.json: it waits for B, which comes before it');
  });

  test('knows what another journal merged into the target', { tags: 'thorough' }, async () => {
    const factory = await aFactory(each('A', 'B'));
    const { dog } = await factory.run(task('A'));
    await dog.until(() => factory.isMerged('A'));
    await dog.stop();
    rmSync(join(factory.folder, 'state'), { recursive: true });
    const again = await factory.watch();
    drop(factory, 'B', { after: ['A'] });
    await again.until(() => factory.isMerged('B'));
  });

  test('cannot be made to wait when it has begun', { tags: 'thorough' }, async () => {
    const waits = each('A');
    const [implementer] = waits.scenario?.implementer ?? [];
    const factory = await aFactory({
      scenario: { ...waits.scenario, implementer: [{ ...implementer, does: [{ touch: 'at' }, { 'wait-for': 'go' }] }] },
    });
    const dog = await factory.begin(task('A'), 'at');
    factory.drop(task('A', { not_before: '2999-01-01T00:00:00Z' }));
    await dog.until(() => page(factory).includes('the task has begun'));
    factory.drop(task('A'));
    factory.signal.give('go');
    await dog.until(() => factory.isMerged('A'));
  });
});

describe('a contract with a time', { tags: 'thorough' }, () => {
  test('begins when it has come, by itself, and not before', async () => {
    const factory = await aFactory(each('A', 'B'));
    const opens = new Date(Date.now() + 4000).toISOString();
    drop(factory, 'A', { not_before: opens, priority: 5 });
    drop(factory, 'B');
    const dog = await factory.watch();
    await dog.until(() => factory.isMerged('A'));
    expect(merged(factory)).toEqual(['B', 'A']);
    const admitted = (await factory.show('A')).story[0]?.at ?? '';
    expect(admitted >= opens).toBe(true);
  });

  test('says so everywhere; a time that cannot be read is refused', async () => {
    const factory = await aFactory(each('A'));
    drop(factory, 'A', { not_before: '2999-01-01T00:00:00+02:00' });
    drop(factory, 'B', { not_before: 'tomorrow' });
    expect(await queueOf(factory)).toMatchObject([
      { task_id: 'A', waits_for: 'a time', why: 'waits until 2998-12-31T22:00:00.000Z' },
      { task_id: 'B' },
    ]);
    const dog = await factory.watch();
    await dog.until(() => page(factory).includes('queue/B.json'));
    expect((await factory.andon('status')).stdout).toMatch(/queue\/A\.json waits until 299\d-/);
    expect((await factory.andon('watch', '--dry-run')).stdout).toMatch(
      /A\.json: would be accepted; it waits until 299/,
    );
  });
});

describe('a contract that is dropped', { tags: 'thorough' }, () => {
  const BAD = { 'limits.max_rebuttals': -1 };

  test('while a task is under way is refused at once, also for what the repository says of it', async () => {
    const waits = each('A');
    const [implementer] = waits.scenario?.implementer ?? [];
    const factory = await aFactory({
      scenario: {
        ...waits.scenario,
        implementer: [{ ...implementer, does: [{ touch: 'at' }, { 'wait-for': 'go' }] }],
      },
    });
    const dog = await factory.begin(task('A'), 'at');
    drop(factory, 'BAD', BAD);
    drop(factory, 'NOWHERE', { git: { base_branch: 'release' } });
    factory.drop(task('A'), 'queue/twice.json');
    await dog.until(() => page(factory).includes('3 contracts rejected'));
    expect(page(factory)).toContain('there is no branch release');
    expect(page(factory)).toContain('this one is under way');
    factory.signal.give('go');
    await dog.until(() => factory.isMerged('A'));
  });

  test('while a task is halted is refused at once, in the queue and in the place', async () => {
    const factory = await aFactory({ ...each('A', 'B'), projectConfig: { on_halt: 'stop' } });
    const dog = await factory.begin(task('A', { 'constraints.max_diff_size': 3 }));
    await dog.until(() => factory.isHalted());
    drop(factory, 'BAD', BAD);
    factory.drop({ ...task('B'), limits: 7 });
    await dog.until(() => page(factory).includes('2 contracts rejected'));
    expect(page(factory)).toContain('TASK_CONTRACT.json');
    factory.drop(task('B'));
    await dog.until(() => factory.paper('queue/B.json') !== undefined);
    choose(factory, 1);
    await dog.until(() => factory.isMerged('A') && factory.isMerged('B'));
  });

  test.each(['pause', 'STOP'])('while nothing may start (%s) is refused at once', async (what) => {
    const factory = await aFactory(each('A'));
    const dog = await factory.watch();
    if (what === 'STOP') writeFileSync(join(factory.handoff, 'STOP'), '');
    else expect((await factory.andon('pause')).code).toBe(0);
    factory.drop(task('A', BAD));
    drop(factory, 'B', BAD);
    await dog.until(() => page(factory).includes('2 contracts rejected'));
  });

  test('twice is refused the second time, and taken when the first one is gone', async () => {
    const factory = await aFactory(each('A'));
    const dog = await factory.watch();
    drop(factory, 'A', { not_before: '2999-01-01T00:00:00Z' });
    await dog.until(async () => (await queueOf(factory)).length === 1);
    factory.drop(task('A'), 'queue/copy.json');
    await dog.until(() => page(factory).includes('that of _handoff/queue/A.json, which came first'));
    expect((await factory.andon('queue', 'withdraw', 'queue/A.json')).code).toBe(0);
    await dog.until(() => factory.isMerged('A'));
    expect(page(factory)).toBe('');
  });
});

test('a dry run says of each what becomes of it, also beside what cannot be read', { tags: 'thorough' }, async () => {
  const factory = await aFactory();
  mkdirSync(join(factory.handoff, 'queue/1.json'), { recursive: true });
  drop(factory, 'A', { after: ['B'] });
  drop(factory, 'B');
  factory.drop('Please.', 'queue/prose.json');
  const { code, stdout } = await factory.andon('watch', '--dry-run');
  expect(code).toBe(2);
  expect(stdout).toMatch(/1\.json: would be refused: it is no plain file that can be read/);
  expect(stdout).toMatch(/B\.json: would be accepted; it is next\n.*A\.json: would be accepted; it waits for B/);
  expect(stdout).toMatch(/prose\.json: would be refused for 1 fault/);
});

test('a move does not outlive the task: what is dropped again under its id has no place by hand', async () => {
  const factory = await aFactory({ scenario: { implementer: [] } });
  drop(factory, 'A');
  drop(factory, 'B');
  expect((await factory.andon('queue', 'move', 'B', '--first')).code).toBe(0);
  expect((await factory.andon('queue', 'withdraw', 'B')).code).toBe(0);
  drop(factory, 'B');
  expect(await queueOf(factory)).toMatchObject([{ task_id: 'A' }, { task_id: 'B', by_hand: false }]);
});

test('what replaces a contract while it is withdrawn stays', { tags: 'thorough' }, async () => {
  const { factory, watches, reach, letGo } = await aSlowDisk('file.take.before-rename', each('A'));
  drop(factory, 'A', { not_before: '2999-01-01T00:00:00Z' });
  await watches();
  let isAnswered = false;
  const withdrawn = factory.andon('queue', 'withdraw', 'A').finally(() => (isAnswered = true));
  await reach(() => true);
  drop(factory, 'A', { priority: 3, not_before: '2999-01-01T00:00:00Z' });
  await letGo(() => isAnswered, 'the withdrawal is answered');
  const { code, stderr } = await withdrawn;
  expect([code, stderr]).toEqual([1, expect.stringContaining('has just changed')]);
  expect(factory.paper('queue/A.json')).toContain('"priority": 3');
});

test('an approved proposal is named in place of an empty queue', async () => {
  const factory = await aFactory();
  factory.drop('# One file\n\n## Requirements\n- There is a file\n\n## Allowed paths\n- a.txt\n', 'PROPOSAL_FINAL.md');
  factory.drop('the page of before', 'PROPOSAL_DRAFT.md'); // it stays until a watchdog has taken the approval
  const shown = await factory.andon('queue');
  expect(shown.stdout).toBe('_handoff/PROPOSAL_FINAL.md is approved: a watchdog puts its contracts into the queue\n');
  expect(JSON.parse((await factory.andon('queue', '--json')).stdout)).toMatchObject({
    queue: [],
    proposal: expect.stringContaining('is approved') as string,
    proposal_approved: true,
  });
  factory.drop('# Another one\n', 'queue/PROPOSAL_TAKEN.md'); // its plan is lost, and its place is taken
  expect((await factory.andon('queue')).stdout).toContain('is approved: move _handoff/PROPOSAL_FINAL.md away');
});
