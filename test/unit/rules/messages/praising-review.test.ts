import { describe, expect, it } from 'vitest';
import { praisingReview } from '../../../../src/rules/messages/praising-review.ts';
import { aFinding, aRecord, aReview } from '../../../support/records.ts';

const record = aRecord();

describe('a local reviewer', () => {
  it.each([
    ['in his words', aReview(), 'Perfect implementation! Truly outstanding work!'],
    [
      'in words that are broken by signs nobody sees',
      aReview(),
      'Per\u200bfect implementation! Truly out\u00adstanding work!',
    ],
    ['in his findings', aReview({ findings: [aFinding({ description: 'Excellent work, superb design!' })] }), ''],
  ])('who only praises %s is asked again', (_, review, beside) => {
    expect(praisingReview.check(review, record, { beside })).toContain('[SYSTEM] Response rejected');
  });

  it.each([
    ['says nothing beside his verdict', aReview(), ''],
    ['introduces his answer', aReview(), 'Sure! Here is the review:'],
    ['fails the change', aReview({ verdict: 'FAIL' }), 'Perfect! Excellent!'],
    ['praises and shows', aReview(), 'Great catch in src/a.ts line 3; 42 tests pass.'],
  ])('who %s is heard', (_, review, beside) => {
    expect(praisingReview.check(review, record, { beside })).toBeUndefined();
  });

  it('who goes on praising is heard after two refusals', () => {
    const tired = { ...record, refusedAnswers: 2 };
    expect(praisingReview.check(aReview(), tired, { beside: 'Perfect! Excellent!' })).toBeUndefined();
  });
});
