/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { choose } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { FINAL, judges, writes } from '../support/scenario.ts';
import { aSlowDisk, type SlowDisk } from '../support/slow-disk.ts';

const SECOND = aContract({ task_id: 'DOC-002', 'specification.target_file': 'docs/second.md' });
const TOO_LARGE = { 'constraints.max_diff_size': 3 };
const BOTH = {
  scenario: {
    implementer: [
      {
        ...writes({ 'docs/second.md': FINAL }),
        when: { model: 'qwen2.5-coder', includes: ['Target file: docs/second.md'] },
      },
      writes({ 'docs/auth_final.md': FINAL }),
    ],
    judge: [judges('PASS', { evidence: [FINAL.split('\n')[4]] })], // a line of both files
  },
};

/** Both tasks end merged, each of them once. */
async function bothMerge({ factory, letGo }: SlowDisk): Promise<void> {
  for (const taskId of ['DOC-001', 'DOC-002']) await letGo(() => factory.isMerged(taskId), `${taskId} is merged`);
  expect(factory.merges()).toHaveLength(2);
}

describe('a newer version of the contract, dropped while andon writes its own,', () => {
  test('is not written over', async () => {
    const implementer = [writes({ 'docs/auth_final.md': FINAL }, { does: [{ 'wait-for': 'go' }] })];
    const { factory, watches, reach, letGo } = await aSlowDisk('file.replace.before-rename', {
      scenario: { implementer },
    });
    await watches();
    factory.drop(aContract({ 'specification.requirements': ['the old version'] }));
    await reach((pid) => factory.paper(`.TASK_CONTRACT.json.${pid}.tmp`) !== undefined);
    factory.drop(aContract({ 'specification.requirements': ['the new version'] }));
    factory.signal.give('go');
    await letGo(() => factory.isMerged() || factory.isHalted(), 'the task ends');
    expect(factory.paper('archive/DOC-001/TASK_CONTRACT.json')).toContain('the new version');
  });
});

describe('a second contract is taken up as the next one when it is dropped', () => {
  test.each(['file.replace.before-rename', 'file.take.before-rename', 'file.take.after-rename'])(
    'while the first is archived (%s)',
    async (failpoint) => {
      const disk = await aSlowDisk(failpoint, BOTH);
      const { factory, watches, reach } = disk;
      await watches();
      factory.drop(aContract());
      await reach((pid) =>
        [`.TASK_CONTRACT.json.${pid}.tmp`, 'TASK_CONTRACT.json'].some(
          (name) => factory.paper(`archive/DOC-001/${name}`) !== undefined,
        ),
      );
      factory.drop(SECOND);
      await bothMerge(disk);
    },
  );

  test('at the word of its merge; the first is archived all the same', async () => {
    const disk = await aSlowDisk('file.append.after-write', BOTH);
    const { factory, watches, reach } = disk;
    await watches();
    factory.drop(aContract());
    await reach(() => factory.paper('transition.ndjson')?.includes('"new_status":"merged"') === true);
    factory.drop(SECOND);
    await bothMerge(disk);
  });

  test.each(['file.take.before-rename', 'file.take.after-rename'])(
    'while the first is taken from the queue (%s)',
    async (failpoint) => {
      const disk = await aSlowDisk(failpoint, BOTH);
      const { factory, watches, reach } = disk;
      await watches();
      factory.drop(aContract(), 'queue/DOC-001.json');
      await reach(() => factory.paper('TASK_CONTRACT.json') === undefined);
      factory.drop(SECOND);
      await bothMerge(disk);
    },
  );

  test('while a resume gives the lock its name back', async () => {
    const disk = await aSlowDisk('file.take.before-rename', BOTH);
    const { factory, watches, reach, letGo } = disk;
    await watches();
    factory.drop(aContract(TOO_LARGE));
    await letGo(() => factory.isHalted(), 'the line halts');
    choose(factory, 1);
    await reach(() => factory.paper('TASK_CONTRACT.json') === undefined && factory.face() !== 'erik_consultation');
    factory.drop(SECOND);
    await bothMerge(disk);
  });

  test('while the first becomes the lock of a halt', async () => {
    const disk = await aSlowDisk('file.take.before-rename', BOTH);
    const { factory, watches, reach, letGo } = disk;
    await watches();
    factory.drop(aContract(TOO_LARGE));
    await reach(() => factory.paper('ERIK_HALT.md') !== undefined);
    factory.drop(SECOND);
    await letGo(() => factory.paper('queue/DOC-002.json') !== undefined, 'the second one waits');
    expect(factory.paper('TASK_CONTRACT.json.lock')).toContain('DOC-001');
    choose(factory, 1);
    await bothMerge(disk);
  });
});
