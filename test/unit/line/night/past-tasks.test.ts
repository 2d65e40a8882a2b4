import { describe, expect, it } from 'vitest';
import { estimateRestOfRound, findPastUse } from '../../../../src/line/night/past-tasks.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { aRecord, called, moved } from '../../../support/records.ts';

const judge = (usd: number) => called({ station: 'judge', agent: 'claude', model: '', usd });
const before = [called({ usd: 0.1 }), judge(0.22)];
const journal = { taskIds: () => ['OLD-1'], entries: () => before };

describe('what the next call is known to take', () => {
  it('is what it took in its own task, and else in earlier tasks of the repository', () => {
    expect(findPastUse(journal, aRecord(), 'judge')?.usd).toBe(0.22);
    expect(findPastUse(journal, aRecord({ calls: [judge(0.05)] }), 'judge')?.usd).toBe(0.05);
    expect(findPastUse({ taskIds: () => [], entries: () => [] }, aRecord(), 'judge')).toBeUndefined();
  });
});

describe('the entries of past tasks', () => {
  it('are read once for a task that has ended, and each time for one that goes on', () => {
    const read: string[] = [];
    const ended = [judge(0.22), moved('pass', 'review_complete', 'merged', {})];
    const tasks: Readonly<Record<string, readonly JournalEntry[]>> = { 'OLD-1': ended, 'NEW-1': [judge(0.1)] };
    const counting = {
      taskIds: () => Object.keys(tasks),
      entries: (id: string) => {
        read.push(id);
        return tasks[id] ?? [];
      },
    };
    for (let times = 0; times < 3; times += 1) expect(findPastUse(counting, aRecord(), 'judge')?.usd).toBe(0.22);
    expect(read).toEqual(['OLD-1', 'NEW-1', 'NEW-1', 'NEW-1']);
  });
});

describe('what the rest of a round is known to take', () => {
  it('is that of the stations which are still to come', () => {
    expect(estimateRestOfRound(journal, aRecord({ status: 'pending_implementer' })).usd).toBeCloseTo(0.32);
    expect(estimateRestOfRound(journal, aRecord({ status: 'review_in_progress' })).usd).toBeCloseTo(0.22);
    expect(estimateRestOfRound(journal, aRecord({ status: 'review_complete' })).usd).toBe(0);
  });

  it('counts every judge of several', () => {
    const record = aRecord({ status: 'review_in_progress' });
    const { contract } = record;
    const three = { ...record, contract: { ...contract, roles: { ...contract.roles, judges: ['a', 'b', 'c'] } } };
    expect(estimateRestOfRound(journal, three).usd).toBeCloseTo(0.66);
  });
});
