import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { LiveFloor } from '../../support/live-floor.ts';

/** A floor with a halted task, and how its answer is written. */
async function aHaltedFloor(taskId: string) {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  await live.start();
  live.drop(taskId);
  const record = await live.untilEnd();
  const answer = (halt: string): void =>
    live.write('_handoff/DECISION.json', JSON.stringify({ task_id: taskId, halt, path: 1, nonce: record.halt?.nonce }));
  return { live, record, answer };
}

const haltOf = ({ halt }: TaskRecord): string => halt?.id ?? '';
const remarks = (live: LiveFloor): readonly string[] =>
  live.entries.flatMap((entry) => (entry.kind === 'remark' ? [entry.text] : []));

test('an answer to another halt is refused in words, though the name of its task reads as a fault of the disk', async () => {
  const { live, record, answer } = await aHaltedFloor('GIVEUP-EMFILE-1');
  answer(`${haltOf(record)}0`);
  await live.line.poll();
  expect(remarks(live)).toEqual([expect.stringContaining('does not count')]);
});

test('the answer beside the report of a parked task is read, whatever another DECISION.json says', async () => {
  const { live, record } = await aHaltedFloor('GIVEUP-1');
  live.drop('GIVEUP-2');
  await live.until(({ taskId, parked }) => taskId === 'GIVEUP-2' && parked !== undefined);
  live.write('_handoff/DECISION.json', JSON.stringify({ task_id: 'GIVEUP-2', halt: 'GIVEUP-2-1', path: 1 }));
  const answer = (taskId: string): void =>
    live.write(
      '_handoff/tasks/GIVEUP-1/DECISION.json',
      JSON.stringify({ task_id: taskId, halt: 'GIVEUP-1-1', path: 1, nonce: record.halt?.nonce }),
    );
  answer('GIVEUP-2');
  await live.line.poll();
  const { journal } = live.line.services;
  const refusals = (taskId: string) => journal.entries(taskId).filter(({ kind }) => kind === 'remark');
  expect(refusals('GIVEUP-1')).toMatchObject([
    { text: expect.stringMatching(/^_handoff\/tasks\/GIVEUP-1\/DECISION\.json does not count: .*GIVEUP-2/) },
  ]);
  expect(refusals('GIVEUP-2')).toMatchObject([
    { text: expect.stringMatching(/^_handoff\/DECISION\.json does not count/) },
  ]);
  answer('GIVEUP-1');
  await live.line.poll();
  expect(journal.entries('GIVEUP-1')).toContainEqual(expect.objectContaining({ kind: 'moved', event: 'resume' }));
  const files = ['archive/GIVEUP-1/GIVEUP-1-1.DECISION.json', 'DECISION.json', 'tasks/GIVEUP-1/DECISION.json'];
  expect(files.map((name) => existsSync(live.path(`_handoff/${name}`)))).toEqual([true, true, false]);
});

test('a disk that fails at the papers of an answer breaks the line, and the answer is not called refused', async () => {
  const { live, record, answer } = await aHaltedFloor('GIVEUP-2');
  let broken = false;
  live.meanwhile = {
    disk: (what, side) => {
      if (broken || side !== 'before' || !what.startsWith('rename ') || !what.includes('ERIK_HALT')) return;
      broken = true;
      throw new Error('EIO: i/o error, rename');
    },
  };
  answer(haltOf(record));
  await expect(live.until(() => false)).rejects.toThrow('EIO');
  expect(live.line.isRunning).toBe(false);
  expect(remarks(live)).toEqual([]);
});
