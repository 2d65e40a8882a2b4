import { describe, expect, it } from 'vitest';
import { unreadableReport } from '../../../../src/line/breakers/unreadable-report.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aJudgedRecord, pathsOf } from '../../../support/records.ts';

const unread = (unreadableReports: number, tries = 0): TaskRecord => {
  const record = aJudgedRecord({ unreadableReports, lastFacts: { judgeUnreadable: 'no JSON' } });
  return { ...record, grants: { ...record.grants, reportTries: tries } };
};

describe('a judge who cannot be read', () => {
  it.each([
    ['twice', unread(2), false],
    ['three times', unread(3), true],
    ['three times, and a try was granted', unread(3, 1), false],
    ['four times, and a try was granted', unread(4, 1), true],
    ['three times, but this report was fine', { ...unread(3), lastFacts: {} }, false],
  ])('%s', (_, record, trips) => {
    expect(unreadableReport.check(record) !== undefined).toBe(trips);
  });

  it('says why the last report was not accepted', () => {
    expect(unreadableReport.check(unread(3))?.reason).toBe('3 reports could not be accepted, the last: no JSON');
  });

  it('stops the line at once when it passed a change that is known to be bad, and is then tried again or replaced', () => {
    const record = aJudgedRecord({ lastFacts: { canary: { flaw: 'broken logic', verdict: 'PASS' } } });
    const trip = unreadableReport.check(record);
    expect(trip?.reason).toContain('known to be bad (broken logic)');
    const [again, human] = pathsOf(unreadableReport, record);
    expect(again.effect).toEqual({ to: 'pending_judge_review' });
    expect(human.effect).toEqual({ to: 'pending_judge_review', judgeOutside: true });
  });

  it('can be asked again, or a human writes the report', () => {
    const [again, human] = pathsOf(unreadableReport, unread(3));
    expect(again.effect).toEqual({ to: 'pending_judge_review', reportTries: 1 });
    expect(human.effect).toEqual({ to: 'pending_judge_review', reportTries: 1, judgeOutside: true });
  });
});
