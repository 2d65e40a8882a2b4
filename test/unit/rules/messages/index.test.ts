import { describe, expect, it } from 'vitest';
import { rulingSchema } from '../../../../src/record/ruling.ts';
import { ruleOnMessage } from '../../../../src/rules/messages/index.ts';
import { aRecord, aReport, aReview } from '../../../support/records.ts';

describe('a message', () => {
  it('that counts is no matter for a ruling', () => {
    expect(ruleOnMessage('review', aReview(), aRecord(), {})).toBeUndefined();
  });

  it('that does not count is ruled on as the journal keeps rulings, and stops nothing', () => {
    const ruling = ruleOnMessage('review', aReview({ verdict: 'FAIL' }), aRecord(), {});
    expect(rulingSchema().parse(ruling)).toEqual(ruling);
    expect(ruling).toMatchObject({
      moment: 'review',
      phase: 'REVIEW',
      found: [{ rule: 'no_finding', does: 'quick_fix', message: 'the reviewer said FAIL and named no finding' }],
    });
  });

  it('is held only to the checks of its own phase', () => {
    const report = aReport({ verdict: 'FAIL', blocking: [] });
    expect(ruleOnMessage('report', report, aRecord(), { unopened: 'change.diff' })).toBeUndefined();
  });
});
