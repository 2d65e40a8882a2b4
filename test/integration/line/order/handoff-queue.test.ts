import { mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHandoff } from '../../../../src/project/handoff/create-handoff.ts';
import { createHandoffQueue } from '../../../../src/line/order/handoff-queue.ts';
import { aFolder } from '../../sandbox/processes/a-runner.ts';
import { DOCUMENT } from '../../../support/records.ts';

const contract = (taskId: string, priority?: number): string =>
  JSON.stringify({ ...DOCUMENT, task_id: taskId, ...(priority === undefined ? {} : { priority }) });

function aQueue() {
  const root = aFolder();
  const handoff = createHandoff(root);
  handoff.prepare();
  let arrived = 1_700_000_000;
  const at = (name: string): string => join(root, '_handoff', name);
  return {
    queue: createHandoffQueue(handoff),
    at,
    drop: (name: string, text: string): void => {
      writeFileSync(at(name), text);
      utimesSync(at(name), ++arrived, arrived);
    },
  };
}

const DROPPED = 'TASK_CONTRACT.json';

describe('the queue in _handoff/', () => {
  it('is told as it arrived, with what each contract says of its turn', () => {
    const { queue, drop } = aQueue();
    drop('queue/z.json', contract('DOC-1'));
    drop('queue/y.json', JSON.stringify({ ...DOCUMENT, task_id: 'DOC-2', priority: 5, after: ['DOC-1'] }));
    drop('queue/x.json', JSON.stringify({ ...DOCUMENT, task_id: 'DOC-3', not_before: '2026-11-24T07:00:00+01:00' }));
    expect(queue.waiting([])).toMatchObject([
      { taskId: 'DOC-1', priority: 0, after: [], notBefore: undefined, goesFirst: false, waitsFor: 'its turn' },
      { taskId: 'DOC-2', priority: 5, after: ['DOC-1'] },
      { taskId: 'DOC-3', after: [], notBefore: '2026-11-24T06:00:00.000Z' },
    ]);
  });

  it('knows the id of a contract that is not right, but not what it says of its turn', () => {
    const { queue, drop } = aQueue();
    drop('queue/bad.json', JSON.stringify({ ...DOCUMENT, task_id: 'DOC-1', priority: 'high', after: ['X'] }));
    drop('queue/worse.json', JSON.stringify({ task_id: '../etc' }));
    expect(queue.waiting([])).toMatchObject([{ taskId: 'DOC-1', priority: 0, after: [] }, { taskId: undefined }]);
  });

  it('shows what was dropped beside the lock of a halted task', () => {
    const { queue, drop } = aQueue();
    drop(`${DROPPED}.lock`, contract('DOC-1'));
    drop(DROPPED, '{"half');
    expect(queue.waiting(['DOC-1'])).toMatchObject([{ name: DROPPED, goesFirst: true, waitsFor: 'a place' }]);
  });

  it('lets a contract be withdrawn, and loses nothing: not what lies there, nor what came meanwhile', () => {
    const { queue, at, drop } = aQueue();
    drop('queue/a.json', contract('DOC-1'));
    const [one] = queue.waiting([]);
    if (one === undefined) throw new Error('one waits');
    expect(queue.withdraw(one)).toBe('withdrawn/a.json');
    expect([readFileSync(at('withdrawn/a.json'), 'utf8'), queue.waiting([])]).toEqual([contract('DOC-1'), []]);
    expect(queue.withdraw(one)).toBeUndefined();
    drop('queue/a.json', contract('DOC-1', 2));
    expect(queue.withdraw(one)).toBeUndefined();
    const [other] = queue.waiting([]);
    if (other === undefined) throw new Error('one waits');
    expect(queue.withdraw(other)).toBe('withdrawn/a.2.json');
    drop(DROPPED, contract('DOC-1'));
    const [place] = queue.waiting([]);
    expect(place === undefined ? '' : queue.withdraw(place)).toBe('withdrawn/DOC-1.json');
    mkdirSync(at('queue/folder.json'));
    const [folder] = queue.waiting([]);
    expect(folder === undefined ? 'none' : queue.withdraw(folder)).toBeUndefined();
  });

  it('comes behind what was dropped, which takes the only place', () => {
    const { queue, drop } = aQueue();
    drop('queue/first.json', contract('DOC-1', 9));
    drop(DROPPED, contract('DOC-2'));
    expect(queue.waiting([]).map(({ name, waitsFor }) => [name, waitsFor])).toEqual([
      [DROPPED, 'its turn'],
      ['queue/first.json', 'a place'],
    ]);
  });

  it('waits for a place while a task is under way, whose own contract waits for nothing', () => {
    const { queue, drop } = aQueue();
    drop(DROPPED, contract('DOC-1'));
    drop('queue/next.json', contract('DOC-2'));
    expect(queue.waiting(['DOC-1'])).toMatchObject([{ taskId: 'DOC-2', waitsFor: 'a place' }]);
    expect(queue.waiting(['DOC-7', 'DOC-1'])).toMatchObject([{ taskId: 'DOC-2' }]);
    drop(DROPPED, '{"half');
    expect(queue.waiting(['DOC-1'])).toHaveLength(1);
    drop(DROPPED, contract('DOC-3'));
    expect(queue.waiting(['DOC-1'])).toMatchObject([{ taskId: 'DOC-3', waitsFor: 'a place' }, { taskId: 'DOC-2' }]);
  });

  it('tells of a file that cannot be read, and of one that is no contract, without a task', () => {
    const { queue, at, drop } = aQueue();
    drop('queue/prose.json', 'Please do something.');
    mkdirSync(at('queue/folder.json'));
    expect(queue.waiting([]).map(({ name, text, taskId }) => [name, text.ok, taskId])).toEqual(
      expect.arrayContaining([
        ['queue/prose.json', true, undefined],
        ['queue/folder.json', false, undefined],
      ]),
    );
  });

  it('sees at once that a contract was rewritten, or is gone', () => {
    const { queue, at, drop } = aQueue();
    drop('queue/a.json', contract('DOC-1'));
    const [first] = queue.waiting([]);
    expect(first).toMatchObject({ text: { ok: true, value: contract('DOC-1') }, priority: 0 });
    expect(queue.waiting([])).toEqual([first]);
    drop('queue/a.json', contract('DOC-1', 3));
    expect(queue.waiting([])[0]?.priority).toBe(3);
    rmSync(at('queue/a.json'));
    expect(queue.waiting([])).toEqual([]);
    expect(queue.read('queue/a.json')).toEqual({ ok: true, value: undefined });
  });

  it('lets a contract be claimed once, and given back', () => {
    const { queue, at, drop } = aQueue();
    drop('queue/a.json', contract('DOC-1'));
    const [one] = queue.waiting([]);
    if (one === undefined) throw new Error('one waits');
    expect([queue.claim(one), queue.claim(one)]).toEqual([true, false]);
    expect(readFileSync(at(DROPPED), 'utf8')).toBe(contract('DOC-1'));
    drop('queue/DOC-1.json', contract('DOC-1'));
    expect(queue.release('DOC-1', contract('DOC-1'))).toBe('queue/DOC-1.2.json');
    expect(readdirSync(at('queue')).toSorted()).toEqual(['DOC-1.2.json', 'DOC-1.json']);
    expect(queue.release('DOC-1', contract('DOC-1'))).toBeUndefined();
  });

  it('lets nothing be claimed that says something else now, or for which the place was taken meanwhile', () => {
    const { queue, drop } = aQueue();
    drop('queue/a.json', contract('DOC-1'));
    const [one] = queue.waiting([]);
    if (one === undefined) throw new Error('one waits');
    drop('queue/a.json', contract('DOC-1', 1));
    expect(queue.claim(one)).toBe(false);
    drop('queue/a.json', contract('DOC-1'));
    drop(DROPPED, contract('DOC-2'));
    expect(queue.claim(one)).toBe(false);
    expect(queue.release('DOC-2', 'another text')).toBeUndefined();
    const [dropped] = queue.waiting([]);
    if (dropped === undefined) throw new Error('one was dropped');
    drop(DROPPED, contract('DOC-3'));
    expect(queue.claim(dropped)).toBe(false);
  });
});
