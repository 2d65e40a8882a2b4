import { describe, expect, it } from 'vitest';
import type { RuleFinding } from '../../../../src/rules/model/inspection.ts';
import type { RuleStatus } from '../../../../src/rules/model/rule-words.ts';
import { decideExit, isScored, score, type DecisionInput } from '../../../../src/rules/enforce/decide-exit.ts';
import { aFinding, aMatch, aResult } from '../../../support/inspections.ts';

const asked = (part: Partial<DecisionInput>): DecisionInput => ({
  surface: 'ci',
  mode: 'strict',
  threshold: 70,
  score: 100,
  findings: [],
  faults: [],
  ...part,
});

const exit = (part: Partial<DecisionInput>): number => decideExit(asked(part)).exit;

describe('the exit code', () => {
  it('is 2 when a binding rule could not be checked or decided, in every mode', () => {
    for (const mode of ['advisory', 'moderate', 'strict'] as const)
      for (const surface of ['gate', 'pre-commit', 'ci', 'line'] as const) {
        expect(exit({ mode, surface, findings: [aFinding({ status: 'ERROR' })] })).toBe(2);
        expect(exit({ mode, surface, findings: [aFinding({ status: 'UNDECIDED' })] })).toBe(2);
        expect(exit({ mode, surface, faults: [{ where: 'a', what: 'b', remedy: 'c' }] })).toBe(2);
      }
  });

  it('is 2 for an engine that failed on a rule of any modality, and not for a soft rule that is undecided', () => {
    expect(exit({ findings: [aFinding({ status: 'ERROR', modality: 'MAY' })] })).toBe(2);
    expect(exit({ findings: [aFinding({ status: 'UNDECIDED', modality: 'SHOULD' })] })).toBe(0);
  });

  it('says both when something was violated and something could not be checked', () => {
    const findings = [aFinding(), aFinding({ rule: 'R-2', status: 'ERROR', reason: 'timed out' })];
    const { because } = decideExit(asked({ findings }));
    expect(because).toEqual(['R-2 could not be checked: timed out', '1 MUST rule is violated: R-1']);
  });

  it('leaves out what is suppressed or put off', () => {
    const quiet: Partial<RuleFinding>[] = [{ suppressed: { by: 'inline', reason: 'r' } }, { deferredTo: 'REVIEW' }];
    for (const part of quiet) expect(exit({ findings: [aFinding(part)] })).toBe(0);
  });

  it('on the line and of a response is about hard constraints and P0 alone, whatever the mode', () => {
    for (const mode of ['advisory', 'moderate', 'strict'] as const) {
      for (const surface of ['line', 'response'] as const) {
        expect(exit({ mode, surface, score: 0, findings: [aFinding()] })).toBe(0);
        expect(exit({ mode, surface, findings: [aFinding({ enforcedBy: 'hard_constraint' })] })).toBe(1);
      }
    }
    expect(exit({ mode: 'advisory', surface: 'ci', findings: [aFinding({ enforcedBy: 'hard_constraint' })] })).toBe(0);
  });
});

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
    'counts nothing where only a MAY rule applies, which is %s',
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
