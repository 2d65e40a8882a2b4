import { describe, expect, it } from 'vitest';
import { STANDARD_MESSAGES } from '../../../../src/rule-model/message-settings.ts';
import { unfoundedReport } from '../../../../src/rules/messages/unfounded-report.ts';
import { aRecord, aReport } from '../../../support/records.ts';

const unopened = undefined;

describe('a judge who says PASS', () => {
  it.each([
    ['and praises', 'Perfect! A flawless, outstanding implementation!', '[SYSTEM] Response rejected'],
    [
      'and has not looked, in broken words',
      'Tests were n\u200bot run and the build was n\u200bot checked.',
      'APPROVE rejected',
    ],
    ['and has not looked', 'Tests were not run and the build was not checked.', '[SYSTEM] APPROVE rejected'],
  ])('%s is asked again', (_, summary, why) => {
    expect(unfoundedReport.check(aReport({ summary }), aRecord(), { unopened })).toContain(why);
  });

  it.each(['', 'The judge says PASS.', 'Every requirement is met; the quoted line shows the expiry.'])(
    'and sums up %j is heard',
    (summary) => {
      expect(unfoundedReport.check(aReport({ summary }), aRecord(), { unopened })).toBeUndefined();
    },
  );

  it('and goes on praising is heard the third time: what he quotes was proven', () => {
    const summary = 'Perfect! A flawless, outstanding implementation!';
    const again = (unreadableReports: number) =>
      unfoundedReport.check(aReport({ summary }), { ...aRecord(), unreadableReports }, { unopened });
    expect(again(1)).toContain('[SYSTEM] Response rejected');
    expect(again(2)).toBeUndefined();
  });

  it('is heard where nothing is checked, and whoever fails the change always', () => {
    const summary = 'Perfect! Outstanding!';
    const off = { ...STANDARD_MESSAGES, enabled: false };
    expect(unfoundedReport.check(aReport({ summary }), aRecord(), { unopened, settings: off })).toBeUndefined();
    expect(unfoundedReport.check(aReport({ summary, verdict: 'FAIL' }), aRecord(), { unopened })).toBeUndefined();
  });
});
