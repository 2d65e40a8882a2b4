import { describe, expect, it } from 'vitest';
import { rebuttalLimit } from '../../../../src/line/breakers/rebuttal-limit.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { TREE, aJudgedRecord, aReport, withLimits, pathsOf } from '../../../support/records.ts';

const rebutted = (rebuttals: number, maxRebuttals: number, granted = 0): TaskRecord => {
  const record = aJudgedRecord({
    rebuttals,
    rebuttal: [{ why: 'the file is there' }],
    lastFacts: { rebuttal: [{ why: 'the file is there' }] },
    contract: withLimits({ maxRebuttals }),
    report: aReport({ verdict: 'FAIL', summary: 'the file is missing' }),
  });
  return { ...record, grants: { ...record.grants, rebuttals: granted } };
};

describe('the rebuttal limit', () => {
  it.each([
    ['as many as are allowed', rebutted(2, 2), false],
    ['one more', rebutted(3, 2), true],
    ['none are allowed, and there is one', rebutted(1, 0), true],
    ['one more, and one was granted', rebutted(3, 2, 1), false],
    ['two more, and one was granted', rebutted(4, 2, 1), true],
    ['the last step was no rebuttal', { ...rebutted(3, 2), lastFacts: {} }, false],
  ])('%s', (_, record, trips) => {
    expect(rebuttalLimit.check(record) !== undefined).toBe(trips);
  });

  it('quotes floor manager and judge', () => {
    expect(rebuttalLimit.check(rebutted(3, 2))).toMatchObject({
      reason: '3 rebuttals, more than the 2 allowed: the floor manager contradicts the judge',
      sides: [
        { who: 'floor manager', says: 'the file is there' },
        { who: 'judge', says: 'the file is missing' },
      ],
    });
  });

  it('shows what the judge insists on, not what it sums up', () => {
    const record = rebutted(3, 2);
    const missing = { source: 'judge', severity: 'high' as const, category: 'bug', security: false };
    const report = aReport({
      verdict: 'FAIL',
      summary: 'No.',
      blocking: [
        { ...missing, file: 'docs/guide.md', line: 3, description: 'the link is lost' },
        { ...missing, description: 'the second guide is missing' },
      ],
    });
    const judged = { ...record, report };
    expect(rebuttalLimit.check(judged)?.sides[1]).toEqual({
      who: 'judge',
      says: '[high] docs/guide.md:3 the link is lost\n[high] the second guide is missing',
    });
  });

  it("merges the judged tree, or sends the judge's fixes", () => {
    const [merge, fix] = pathsOf(rebuttalLimit, rebutted(3, 2));
    expect(merge.effect).toEqual({ to: 'review_complete', verdict: 'PASS', approveTree: TREE });
    expect(fix.effect).toEqual({ to: 'review_complete', verdict: 'FAIL' });
  });
});
