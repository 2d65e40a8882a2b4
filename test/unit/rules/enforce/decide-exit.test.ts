import { describe, expect, it } from 'vitest';
import type { RuleFinding } from '../../../../src/rules/model/inspection.ts';
import type { Modality, Surface } from '../../../../src/rules/model/rule-words.ts';
import type { Mode } from '../../../../src/project/config/config-words.ts';
import { decideExit, type DecisionInput } from '../../../../src/rules/enforce/decide-exit.ts';
import { aFinding } from '../../../support/inspections.ts';

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
  const table: readonly [Mode, Modality, Surface, number][] = [
    ['advisory', 'MUST', 'pre-commit', 0],
    ['advisory', 'MUST', 'ci', 0],
    ['advisory', 'SHOULD', 'pre-commit', 0],
    ['advisory', 'SHOULD', 'ci', 0],
    ['advisory', 'MAY', 'pre-commit', 0],
    ['advisory', 'MAY', 'ci', 0],
    ['moderate', 'MUST', 'pre-commit', 0],
    ['moderate', 'MUST', 'ci', 1],
    ['moderate', 'SHOULD', 'pre-commit', 0],
    ['moderate', 'SHOULD', 'ci', 0],
    ['moderate', 'MAY', 'pre-commit', 0],
    ['moderate', 'MAY', 'ci', 0],
    ['strict', 'MUST', 'pre-commit', 1],
    ['strict', 'MUST', 'ci', 1],
    ['strict', 'SHOULD', 'pre-commit', 0],
    ['strict', 'SHOULD', 'ci', 0],
    ['strict', 'MAY', 'pre-commit', 0],
    ['strict', 'MAY', 'ci', 0],
  ];
  it.each(table)('in %s mode, for a violated %s rule at %s, is %i', (mode, modality, surface, expected) => {
    expect(exit({ mode, surface, score: 80, findings: [aFinding({ modality })] })).toBe(expected);
  });

  it.each<[Mode, Surface, number, number]>([
    ['moderate', 'pre-commit', 69, 1],
    ['moderate', 'pre-commit', 70, 0],
    ['moderate', 'ci', 69, 1],
    ['strict', 'pre-commit', 69, 1],
    ['strict', 'ci', 70, 0],
    ['strict', 'gate', 69.9, 1],
    ['advisory', 'ci', 0, 0],
    ['advisory', 'gate', 0, 0],
  ])('in %s mode at %s with the score %d is %i', (mode, surface, score, expected) => {
    expect(exit({ mode, surface, score })).toBe(expected);
  });

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
      expect(exit({ mode, surface: 'line', score: 0, findings: [aFinding()] })).toBe(0);
      expect(exit({ mode, surface: 'line', findings: [aFinding({ enforcedBy: 'hard_constraint' })] })).toBe(1);
    }
    expect(exit({ mode: 'strict', surface: 'response', score: 0, findings: [aFinding()] })).toBe(0);
    expect(exit({ mode: 'advisory', surface: 'ci', findings: [aFinding({ enforcedBy: 'hard_constraint' })] })).toBe(0);
  });
});
