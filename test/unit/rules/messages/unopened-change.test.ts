import { describe, expect, it } from 'vitest';
import { unopenedChange } from '../../../../src/rules/messages/unopened-change.ts';
import { aRecord, aReport } from '../../../support/records.ts';

const unopened = 'change.diff';

describe('a judge', () => {
  it('who passes what his program has not opened is asked again, and told what to open', () => {
    expect(unopenedChange.check(aReport(), aRecord(), { unopened })).toBe(
      "the judge says PASS, but its program's log does not show that it opened change.diff, the change",
    );
  });

  it('who has opened the change, or judges outside, is heard', () => {
    expect(unopenedChange.check(aReport(), aRecord(), { unopened: undefined })).toBeUndefined();
  });

  it.each(['CONDITIONAL', 'FAIL', 'CRITICAL_HALT'] as const)('who says %s is heard, whatever he read', (verdict) => {
    expect(unopenedChange.check(aReport({ verdict }), aRecord(), { unopened })).toBeUndefined();
  });
});
