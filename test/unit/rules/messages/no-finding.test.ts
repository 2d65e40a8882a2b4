import { describe, expect, it } from 'vitest';
import { noFinding } from '../../../../src/rules/messages/no-finding.ts';
import { aFinding, aRecord, aReview } from '../../../support/records.ts';

describe('a local reviewer', () => {
  it.each([
    ['who says FAIL and names nothing is asked again', aReview({ verdict: 'FAIL' }), true],
    ['who says FAIL and what is wrong is heard', aReview({ verdict: 'FAIL', findings: [aFinding()] }), false],
    ['who passes is heard', aReview(), false],
  ])('%s', (_, review, objects) => {
    expect(noFinding.check(review, aRecord(), {})).toBe(
      objects ? 'the reviewer said FAIL and named no finding' : undefined,
    );
  });
});
