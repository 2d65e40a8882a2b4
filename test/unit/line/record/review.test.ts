import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { getJudgeReport, getLocalReview } from '../../../../src/line/record/review.ts';
import { decideOnChange } from '../../../../src/line/core/decide-on-change.ts';
import { paradox } from '../../../../src/line/breakers/paradox.ts';
import { renderContract } from '../../../../src/line/words/contract-document.ts';
import { renderHalt } from '../../../../src/line/halts/halt-report.ts';
import { renderFindings } from '../../../../src/line/reports/reports.ts';
import { listRounds } from '../../../../src/line/reports/task-report/list-rounds.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { viewTask } from '../../../../src/line/words/view-task.ts';
import type { Facts } from '../../../../src/line/record/facts.ts';
import {
  DOCUMENT,
  TREE,
  aChange,
  aFinding,
  aHalt,
  aReport,
  aReview,
  admitted,
  moved,
} from '../../../support/records.ts';

const written = moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange() });
const said = (facts: Facts) => moved('local_pass', 'pending_local_review', 'pending_local_review', facts);
const after = (...facts: readonly Facts[]): TaskRecord => {
  const two = admitted({ document: { ...DOCUMENT, schema_version: '2.0' } });
  const record = foldJournal([two, written, ...facts.map(said)]);
  if (record === undefined) throw new Error('the journal begins with an admission');
  return record;
};

const key = aFinding({ source: 'reviewer', severity: 'critical', description: 'adds a key', security: true });
const broad = { review: aReview() };
const security = { review: aReview({ reviewer: 'security', verdict: 'FAIL', critical: true, findings: [key] }) };

describe('a panel of reviewers', () => {
  it('is a list: each is known by its station and name, and says what of which tree', () => {
    const record = after(broad, security, { report: aReport() });
    expect(viewTask(record).reviews).toEqual([
      { station: 'local-reviewer', reviewer: 'local-reviewer', tree: TREE, verdict: 'PASS', findings: 0 },
      { station: 'local-reviewer', reviewer: 'security', tree: TREE, verdict: 'FAIL', findings: 1 },
      { station: 'judge', reviewer: 'judge', tree: TREE, verdict: 'PASS', findings: 0 },
    ]);
  });

  it.each([
    ['before', [security, broad]],
    ['after', [broad, security]],
  ])('holds against the change what one of them holds against it, %s the others', (_, facts) => {
    const record = after(...facts, { report: aReport() });
    expect(getLocalReview(record)).toMatchObject({ verdict: 'FAIL', critical: true, findings: [key] });
    expect(paradox.check(record)?.sides[0]?.says).toContain('adds a key');
    expect(renderContract(record)).toContain('"local_review_passed": false');
    expect(renderFindings(record)).toContain('adds a key');
    expect(renderHalt(record, aHalt(), '')).toContain('Local review: FAIL, critical security flaw');
  });

  it('counts only the last word of each', () => {
    const calm = { review: aReview({ reviewer: 'security' }) };
    expect(getLocalReview(after(broad, security, calm))).toMatchObject({
      verdict: 'PASS',
      critical: false,
      findings: [],
    });
    expect(after(broad, security, broad).reviews).toHaveLength(2);
  });

  it('is told round by round, each reviewer with numbers of its own', () => {
    const rounds = listRounds([admitted(), written, ...[broad, security, security].map(said)]);
    expect(rounds.map(({ by, reviewer, number }) => [by, reviewer, number])).toEqual([
      ['local-reviewer', 'local-reviewer', 1],
      ['local-reviewer', 'security', 1],
      ['local-reviewer', 'security', 2],
    ]);
    expect(rounds[1]?.blocking).toMatchObject([{ gone_in_next_round: false }]);
  });

  it('has said nothing of a new change', () => {
    expect(after(broad, security, { report: aReport() }, { change: aChange() }).reviews).toEqual([]);
  });
});

describe('a panel of judges', () => {
  const fails = { report: aReport({ reviewer: 'second', verdict: 'FAIL', blocking: [aFinding()] }) };
  const passes = { report: aReport() };

  it.each([
    ['first', [fails, passes]],
    ['last', [passes, fails]],
  ])('merges nothing that one of them fails, whoever speaks %s', (_, facts) => {
    const record = after(...facts);
    expect(getJudgeReport(record)).toMatchObject({ verdict: 'FAIL', reviewer: 'second' });
    expect(decideOnChange(record, () => true)).toMatchObject({ do: 'fix' });
    expect(viewTask(record)).toMatchObject({
      verdict: 'FAIL',
      findings: ['[high] docs/guide.md:3 the second guide is missing'],
    });
    expect(record.rounds).toHaveLength(2);
  });

  it('of one decides as he says', () => {
    expect(decideOnChange(after(passes), () => true)).toEqual({ do: 'merge' });
    expect(getJudgeReport(after())).toBeUndefined();
  });
});
