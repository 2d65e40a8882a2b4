/** @module-tag thorough */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';
import { createReply } from '../support/scenario.ts';
import { drop, each, queueOf, task } from '../support/queue-of-documents.ts';

describe.each([true, false])('andon queue, with a watchdog: %s,', (watched) => {
  const aQueue = async (): Promise<Factory> => {
    const factory = await aFactory(each('A', 'B', 'C'));
    if (watched) await factory.watch();
    expect((await factory.andon('pause')).code).toBe(0);
    for (const id of ['A', 'B', 'C']) drop(factory, id);
    return factory;
  };
  const order = async (factory: Factory): Promise<readonly unknown[]> =>
    (await queueOf(factory)).map(({ task_id: id }) => id);

  test('moves a contract, which stays there', async () => {
    const factory = await aQueue();
    const moved = await factory.andon('queue', 'move', 'C', '--first');
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('C is number 1 of 3 now.')]);
    expect((await factory.andon('queue', 'move', 'A.json', '--last')).code).toBe(0);
    drop(factory, 'D', { after: ['A'] });
    const last = await factory.andon('queue', 'move', 'A', '--last');
    expect(last.stdout).toContain('A is number 3 of 4 now: contracts that wait for it stay behind it.');
    expect((await factory.andon('queue', 'withdraw', 'D')).code).toBe(0);
    drop(factory, 'N', { priority: 9 });
    expect(await order(factory)).toEqual(['C', 'N', 'B', 'A']);
    expect((await factory.andon('queue', 'move', 'A', '--before', '_handoff/queue/B.json')).code).toBe(0);
    expect(await order(factory)).toEqual(['C', 'N', 'A', 'B']);
    expect((await queueOf(factory)).map((one) => one.by_hand)).toEqual([true, false, true, false]);
  });

  test('withdraws a contract to where it is found again', async () => {
    const factory = await aQueue();
    const text = factory.paper('queue/B.json');
    const { code, stdout } = await factory.andon('queue', 'withdraw', 'B');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Withdrawn to _handoff/withdrawn/B.json.')]);
    expect([factory.paper('withdrawn/B.json'), factory.paper('queue/B.json')]).toEqual([text, undefined]);
    expect(await order(factory)).toEqual(['A', 'C']);
    drop(factory, 'D', { after: ['B'] });
    expect(await queueOf(factory)).toMatchObject([{}, {}, { why: 'waits for B, which is unknown here' }]);
  });

  test.each([
    [['move', 'A'], 'Missing argument: --first, --before or --last'],
    [['move', 'A', '--first', '--last'], '--first and --last cannot be combined'],
    [['move'], 'Missing argument: contract'],
    [['move', 'X', '--first'], 'no contract X waits'],
    [['move', 'A', '--before', 'A'], 'A cannot go before itself'],
    [['move', 'A', '--before', '../../etc'], 'no contract ../../etc waits'],
    [['withdraw', 'A', '--first'], '--first needs andon queue move'],
    [['withdraw'], 'Missing argument: contract'],
    [['withdraw', '../A.json'], 'no contract ../A.json waits'],
    [['delete', 'A'], 'Unknown argument: delete'],
  ])('refuses what it cannot do: %j', async (args, says) => {
    const factory = await aQueue();
    const { code, stderr } = await factory.andon('queue', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(await order(factory)).toEqual(['A', 'B', 'C']);
  });
});

test('andon queue leaves the contract of a task on the line where it is, running or stopped', async () => {
  const scenario = { implementer: [createReply('', { does: [{ touch: 'at' }, 'silent'] })] };
  const factory = await aFactory({ scenario });
  const dog = await factory.begin(task('A'), 'at');
  const before = factory.paper('TASK_CONTRACT.json');
  const refuses = async (): Promise<void> => {
    for (const words of [
      ['withdraw', 'A'],
      ['withdraw', '_handoff/TASK_CONTRACT.json'],
      ['move', 'A', '--first'],
    ]) {
      const { code, stderr } = await factory.andon('queue', ...words);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/no contract \S+ waits[^]*andon list/)]);
      expect(factory.paper('TASK_CONTRACT.json')).toBe(before);
    }
  };
  await refuses();
  await dog.stop();
  await refuses();
});

test.each([
  'file.take.before-rename',
  'file.take.after-rename',
  'file.take.after-link',
  'journal.append.before-commit',
])('a withdrawal that is cut off (%s) loses nothing', async (failpoint) => {
  const factory = await aFactory({ ...each('A'), apart: true });
  expect((await factory.andon('pause')).code).toBe(0);
  drop(factory, 'A');
  const text = factory.paper('queue/A.json');
  factory.env['ANDON_FAILPOINT'] = `${failpoint}:kill`;
  expect((await factory.andon('queue', 'withdraw', 'A')).signal).toBe('SIGKILL');
  delete factory.env['ANDON_FAILPOINT'];
  expect((await factory.andon('unpause')).code).toBe(0);
  const dog = await factory.watch();
  const names = (folder: string): readonly string[] =>
    factory.has(`_handoff/${folder}`) ? readdirSync(join(factory.handoff, folder)).filter((name) => name !== 'A') : [];
  await dog.until(() => factory.isMerged('A') || factory.paper('withdrawn/A.json') === text);
  expect(names('queue')).toEqual([]);
  expect(names('withdrawn').length).toBe(factory.merges().length === 1 ? 0 : 1);
});
