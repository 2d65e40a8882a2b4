import { describe, expect, it } from 'vitest';
import type { RuleStatus } from '../../../../src/rules/model/rule-words.ts';
import { isScored, score } from '../../../../src/rules/enforce/decide-exit.ts';
import { aFinding, aMatch, aResult } from '../../../support/inspections.ts';

const ofStatuses = (...statuses: readonly RuleStatus[]): number =>
  score(
    statuses.map((status, at) => aResult({ rule: `R-${at}`, status })),
    [],
  );

describe('the score', () => {
  it('is 100 when no rule applies', () => {
    expect(score([], [])).toBe(100);
    expect(ofStatuses('NOT_APPLICABLE', 'NOT_COVERED', 'NOT_COVERED')).toBe(100);
  });

  it('is the average over the rules that apply', () => {
    expect(ofStatuses('PASS', 'NOT_COVERED', 'VIOLATED')).toBe(50);
    expect(ofStatuses(...Array<RuleStatus>(9).fill('PASS'), 'VIOLATED')).toBe(90);
  });

  it('weighs MUST 3, SHOULD 2 and MAY 1', () => {
    const results = [
      aResult({ rule: 'A', modality: 'MUST', status: 'PASS' }),
      aResult({ rule: 'B', modality: 'SHOULD', status: 'VIOLATED' }),
      aResult({ rule: 'C', modality: 'MAY', status: 'PASS' }),
    ];
    expect(score(results, [])).toBe(66.7);
  });

  it.each(['VIOLATED', 'UNDECIDED', 'PASS'] as const)(
    'is none where only a MAY rule applies, which is %s',
    (status) => {
      const may = aResult({ rule: 'B', modality: 'MAY', status });
      expect([score([may], []), isScored({ results: [may], findings: [] })]).toEqual([100, false]);
      const kept = aResult({ rule: 'A', status: 'PASS' });
      expect(isScored({ results: [may, kept], findings: [] })).toBe(true);
    },
  );

  it('counts a rule that a plan does not cover as half, only when the plan is about its subject', () => {
    const about = (confidence: number) =>
      aResult({ status: 'NOT_COVERED', layers: [aMatch({ layer: 'semantic', status: 'NOT_COVERED', confidence })] });
    expect(score([aResult({ status: 'PASS' }), about(0.9)], [])).toBe(75);
    expect(score([aResult({ status: 'PASS' }), about(0.1)], [])).toBe(100);
    expect(score([about(0.9)], [])).toBe(100);
  });

  it('never counts what could not be checked or decided as kept', () => {
    expect(ofStatuses('PASS', 'ERROR')).toBe(50);
    expect(ofStatuses('UNDECIDED')).toBe(0);
  });

  it('counts a rule as kept when everything that was found is suppressed, and not when one finding is left', () => {
    const waived = aFinding({ suppressed: { by: 'waiver', reason: 'r' } });
    expect(score([aResult()], [waived])).toBe(100);
    expect(score([aResult()], [waived, aFinding()])).toBe(0);
  });
});
