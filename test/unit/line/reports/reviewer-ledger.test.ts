import { describe, expect, test } from 'vitest';
import { toReviewerFacts, formatReviewer, reviewerLedger } from '../../../../src/line/reports/reviewer-ledger.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import {
  AT,
  aChange,
  aChoice,
  aFinding,
  aHalt,
  aReport,
  aReview,
  called,
  moved,
  started,
} from '../../../support/records.ts';

const REVIEWER = { station: 'local-reviewer', agent: 'ollama', model: 'deepseek-r1' } as const;
const JUDGE = { station: 'judge', agent: 'claude', model: '' } as const;
const changed = (tree: string): JournalEntry =>
  moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange({ tree }) });
const asks = (call: number): readonly JournalEntry[] => [started({ ...REVIEWER, call }), called({ ...REVIEWER, call })];
const finds = (tree: string): JournalEntry =>
  moved('local_fail', 'pending_local_review', 'pending_implementer', {
    review: aReview({ tree, verdict: 'FAIL', findings: [aFinding({ source: 'reviewer' })] }),
  });
const passes = (tree: string): JournalEntry =>
  moved('local_pass', 'pending_local_review', 'pending_judge_review', { review: aReview({ tree }) });
const judges = (tree: string): readonly JournalEntry[] => [
  started({ ...JUDGE, call: 9 }),
  called({ ...JUDGE, call: 9, usd: 0.02 }),
  moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport({ tree }) }),
];
const row = (...entries: readonly JournalEntry[]) =>
  reviewerLedger([entries]).find(({ station }) => station === 'local-reviewer');

describe('the ledger of reviewers', () => {
  test('counts a finding as confirmed when another change came after it, and as refuted when a judge passes that tree', () => {
    const again = [
      changed('one'),
      ...asks(2),
      finds('one'),
      changed('two'),
      ...asks(4),
      passes('two'),
      ...judges('two'),
    ];
    expect(row(...again)).toMatchObject({ calls: 2, findings: 1, confirmed: 1, refuted: 0 });
    expect(row(changed('one'), ...asks(2), finds('one'), ...judges('one'))).toMatchObject({ confirmed: 0, refuted: 1 });
    expect(row(changed('one'), ...asks(2), finds('one'))).toMatchObject({ findings: 1, confirmed: 0, refuted: 0 });
  });

  test('believes a person at a halt more than the judge: who sided with the reviewer confirmed the finding', () => {
    const paradox = [changed('one'), ...asks(2), finds('one'), ...judges('one')];
    const siding = (verdict: 'PASS' | 'FAIL'): JournalEntry =>
      moved('resume', 'erik_consultation', 'pending_implementer', {
        choice: { ...aChoice(aHalt()), effect: { to: 'pending_implementer', verdict } },
      });
    expect(row(...paradox, siding('FAIL'), changed('two'))).toMatchObject({ confirmed: 1, refuted: 0 });
    expect(row(...paradox, siding('PASS'))).toMatchObject({ confirmed: 0, refuted: 1 });
  });

  test('counts the findings of a judge as refuted when the floor manager contradicted them with facts', () => {
    const finding = { ...aFinding({ source: 'judge' }), weight: 'substantive' as const };
    const fails = moved('judge_complete', 'review_in_progress', 'review_complete', {
      report: aReport({ tree: 'one', verdict: 'FAIL', blocking: [finding] }),
    });
    const rebuts = moved('fail_disagree', 'review_complete', 'pending_judge_review', {});
    const judged = [changed('one'), started({ ...JUDGE, call: 9 }), called({ ...JUDGE, call: 9 }), fails];
    expect(reviewerLedger([[...judged, rebuts, changed('two')]])).toMatchObject([{ confirmed: 0, refuted: 1 }]);
    expect(reviewerLedger([[...judged, changed('two')]])).toMatchObject([{ confirmed: 1, refuted: 0 }]);
  });

  test('counts what a kill cut off by what it cost, and not as a call that was answered', () => {
    const cut: JournalEntry = {
      kind: 'interrupted',
      at: AT,
      station: 'local-reviewer',
      call: 2,
      usd: 0.5,
      tokens: null,
      ms: 60_000,
    };
    const killed = row(
      changed('one'),
      started({ ...REVIEWER, call: 2, reserveUsd: 0.5 }),
      cut,
      ...asks(3),
      passes('one'),
    );
    expect(killed).toMatchObject({ calls: 1, findings: 0 });
    expect(killed?.cost.usd).toBeCloseTo(0.5);
  });

  test('has no row for who is asked about rules, decides as the floor manager, or is only tried', () => {
    const others: readonly JournalEntry[] = [
      started({ ...REVIEWER, call: 2, lane: 2 }),
      called({ ...REVIEWER, call: 2 }),
      started({ ...REVIEWER, call: 3, reviewer: 'floor-manager' }),
      called({ ...REVIEWER, call: 3 }),
      started({ ...JUDGE, call: 4, canary: true }),
      called({ ...JUDGE, call: 4 }),
    ];
    expect(reviewerLedger([[changed('one'), ...others]])).toEqual([]);
  });

  test('says in words what it counted', () => {
    const [one] = reviewerLedger([[changed('one'), ...asks(2), finds('one'), ...judges('one')]]);
    expect(one === undefined ? '' : formatReviewer(toReviewerFacts(one))).toBe('1 finding: 1 refuted');
  });
});
