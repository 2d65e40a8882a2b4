import { describe, expect, it } from 'vitest';
import { reviewCycleLimit } from '../../../../src/line/breakers/review-cycle-limit.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import {
  TREE,
  aGate,
  aGateRun,
  aJudgedRecord,
  aReport,
  withLimits,
  type Changes,
  pathsOf,
} from '../../../support/records.ts';

const cycled = (reviewCycles: number, max: number, granted = 0, changes: Changes = {}): TaskRecord => {
  const record = aJudgedRecord({
    reviewCycles,
    contract: withLimits({ maxReviewCycles: max }),
    lastFacts: { feedback: [{ from: 'judge', text: 'again' }] },
    ...changes,
  });
  return { ...record, grants: { ...record.grants, reviewCycles: granted } };
};

describe('the limit of review cycles', () => {
  it.each([
    ['as many as are allowed', cycled(5, 5), false],
    ['one more', cycled(6, 5), true],
    ['one more, and two were granted', cycled(6, 5, 2), false],
    ['three more, and two were granted', cycled(8, 5, 2), true],
    ['the last step sent nothing back', cycled(6, 5, 0, { lastFacts: {} }), false],
  ])('%s', (_, record, trips) => {
    expect(reviewCycleLimit.check(record) !== undefined).toBe(trips);
  });

  it('names the failed tests of the last red gates, and of a holdout gate nothing but its name', () => {
    const failures = [{ name: 'adds' }, { name: 'subtracts' }];
    const red = ['tests', 'secret'].map((name) => aGate({ name, outcome: 'red', blocks: true, failures }));
    const lastFacts = { feedback: [{ from: 'gates' as const, text: 'red' }], gates: aGateRun(...red) };
    const record = cycled(1, 0, 0, { lastFacts });
    const holdout = { ...record.contract.holdout, gates: [{ name: 'secret', run: 'true', timeoutMinutes: 1 }] };
    const hidden = { ...record, contract: { ...record.contract, holdout } } as TaskRecord;
    expect(reviewCycleLimit.check(hidden)?.reason).toBe(
      '1 review cycle, more than the 0 allowed; red: tests (2 failed: adds; subtracts), secret',
    );
  });

  it('quotes the last three rejections', () => {
    const rejected = [1, 2, 3, 4].map((attempt) => ({
      attempt,
      commit: 'c',
      tree: 't',
      by: 'gates' as const,
      why: `red ${attempt}`,
    }));
    expect(reviewCycleLimit.check(cycled(6, 5, 0, { rejected }))?.sides).toEqual([
      { who: 'gates on attempt 2', says: 'red 2' },
      { who: 'gates on attempt 3', says: 'red 3' },
      { who: 'gates on attempt 4', says: 'red 4' },
    ]);
  });

  it('merges the tree that was judged, or gives two more cycles', () => {
    const [merge, more] = pathsOf(reviewCycleLimit, cycled(6, 5));
    expect(merge.effect).toEqual({ to: 'review_complete', verdict: 'PASS', approveTree: TREE });
    expect(more.effect).toEqual({ to: 'pending_implementer', reviewCycles: 2 });
  });

  it.each([
    ['was never judged', { report: undefined }],
    ['is not the tree that was judged', { report: aReport({ tree: 'another' }) }],
  ])('never offers to merge a tree that %s', (_, changes) => {
    const [more, end] = pathsOf(reviewCycleLimit, cycled(6, 5, 0, changes));
    expect(more.effect).toEqual({ to: 'pending_implementer', reviewCycles: 2 });
    expect(end.effect).toEqual({ to: 'abandoned' });
  });
});
