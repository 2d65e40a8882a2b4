import { describe, expect, it } from 'vitest';
import { paradox } from '../../../../src/line/breakers/paradox.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aFinding, aJudgedRecord, aReport, aReview, type Changes, pathsOf } from '../../../support/records.ts';

const FLAW = aFinding({
  source: 'secrets',
  severity: 'critical',
  category: 'security',
  description: 'adds a key',
  security: true,
});
const held = (changes: Changes = {}): TaskRecord =>
  aJudgedRecord({ review: aReview({ verdict: 'FAIL', critical: true, findings: [FLAW] }), ...changes });

describe('a judge who passes what the reviewer calls dangerous', () => {
  it.each([
    ['PASS over a critical flaw', held(), true],
    ['CONDITIONAL over a critical flaw', held({ report: aReport({ verdict: 'CONDITIONAL' }) }), true],
    ['FAIL agrees with the reviewer', held({ report: aReport({ verdict: 'FAIL' }) }), false],
    ['an unproven PASS is no pass', held({ report: aReport({ verdict: 'NEEDS_REVIEW' }) }), false],
    ['no critical flaw', held({ review: aReview({ findings: [aFinding()] }) }), false],
    ['the review is about another tree', held({ review: aReview({ tree: 'x', critical: true }) }), false],
    ['not judged yet', held({ report: undefined }), false],
    ['not reviewed', held({ review: undefined }), false],
    ['a human has taken a side', held({ sided: 'PASS' }), false],
  ])('%s', (_, record, trips) => {
    expect(paradox.check(record) !== undefined).toBe(trips);
  });

  it('leaves both sides in their own words', () => {
    expect(paradox.check(held())?.sides).toEqual([
      { who: 'local review', says: '[critical] docs/guide.md:3 adds a key' },
      { who: 'judge', says: 'PASS: Everything that was asked for is there.' },
    ]);
    expect(paradox.check(held({ review: aReview({ critical: true }) }))?.sides[0]?.says).toBe(
      'critical_security_flaw: true',
    );
  });

  it('can be fixed, or passed on the word of the judge', () => {
    const [fix, pass] = pathsOf(paradox, held());
    expect(fix.effect).toMatchObject({ to: 'pending_implementer', verdict: 'FAIL' });
    expect(fix.effect.say).toContain('adds a key');
    expect(pass.effect).toEqual({ to: 'review_complete', verdict: 'PASS' });
  });

  it('never turns a CONDITIONAL into a merge', () => {
    const record = held({ report: aReport({ verdict: 'CONDITIONAL' }) });
    const [, pass] = pathsOf(paradox, record);
    expect(pass.effect.verdict).toBe('FAIL');
  });
});
