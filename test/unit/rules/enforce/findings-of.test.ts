import { describe, expect, it } from 'vitest';
import type { MatchPlace } from '../../../../src/rules/model/inspection.ts';
import { findingsOf } from '../../../../src/rules/enforce/findings-of.ts';
import { aMatch, aResult } from '../../../support/inspections.ts';
import { aRule } from '../../../support/rules.ts';

const CONTEXT = { surface: 'ci' } as const;
const at = (line: number, matched = 'eval(x)', file = 'src/a.ts'): MatchPlace => ({
  file,
  line,
  excerpt: matched,
  matched,
});
const printsOf = (...places: readonly MatchPlace[]): readonly string[] =>
  findingsOf(aRule(), aResult({ layers: [aMatch({ places })] }), CONTEXT).map(({ fingerprint }) => fingerprint);

describe('findings', () => {
  it('are one per place, and one for the whole when there is no place', () => {
    expect(printsOf(at(1), at(2))).toHaveLength(2);
    expect(findingsOf(aRule(), aResult({ layers: [aMatch()] }), CONTEXT)[0]).not.toHaveProperty('file');
  });

  it('count as what they are boosted to, and say why; the bound of the rule is kept where it is stricter', () => {
    const counts = { priority: 'P2', handler: 'LOG_ONLY', because: 'it is boosted in REVIEW' } as const;
    const soft = aRule({ severity: 'LOW', priority: 'P3', modality: 'MAY', handler: 'SOFT_HOOK' });
    const [found] = findingsOf(soft, aResult({ layers: [aMatch()] }), { ...CONTEXT, phase: 'REVIEW' }, counts);
    expect(found).toMatchObject({
      priority: 'P2',
      modality: 'SHOULD',
      handler: 'LOG_ONLY',
      countsBecause: 'it is boosted in REVIEW',
    });
    expect(found).not.toHaveProperty('deferredTo');
    const [strict] = findingsOf({ ...soft, modality: 'MUST' }, aResult({ layers: [aMatch()] }), CONTEXT, counts);
    expect(strict?.modality).toBe('MUST');
  });

  it('are counted once when two checks of a rule see the same place', () => {
    const layers = [aMatch({ places: [at(1)] }), aMatch({ places: [at(1)] })];
    expect(findingsOf(aRule(), aResult({ layers }), CONTEXT)).toHaveLength(1);
  });

  it('keep their print when lines move or spacing changes, and have one each', () => {
    expect(printsOf(at(1), at(2))).toEqual(printsOf(at(10), at(20)));
    expect(printsOf(at(1, 'eval(x)'))).toEqual(printsOf(at(9, '  eval(x)\t ')));
    expect(new Set(printsOf(at(1), at(2), at(3, 'eval(y)'), at(1, 'eval(x)', 'src/b.ts'))).size).toBe(4);
    expect(printsOf(at(1))[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('say that a check failed, also beside a violation', () => {
    const layers = [aMatch({ places: [at(1)] }), aMatch({ status: 'ERROR', reason: 'out of time' })];
    const found = findingsOf(aRule(), aResult({ layers }), CONTEXT);
    expect(found.map(({ status }) => status)).toEqual(['VIOLATED', 'ERROR']);
    expect(found[1]?.reason).toBe('out of time');
  });

  it('are none for a rule that is kept, and one for a rule that nobody could decide', () => {
    expect(findingsOf(aRule(), aResult({ status: 'PASS' }), CONTEXT)).toEqual([]);
    expect(findingsOf(aRule(), aResult({ status: 'UNDECIDED' }), CONTEXT)[0]?.status).toBe('UNDECIDED');
  });

  it.each([
    ['P3', 'IMPLEMENTATION', 'TEST'],
    ['P2', 'IMPLEMENTATION', 'REVIEW'],
    ['P1', 'IMPLEMENTATION', undefined],
    ['P3', 'TASKS', 'TEST'],
    ['P3', 'ANALYSIS', undefined],
  ] as const)('of %s in %s are put off to %s', (priority, phase, later) => {
    const [found] = findingsOf(aRule({ priority }), aResult({ layers: [aMatch()] }), { ...CONTEXT, phase });
    expect(found?.deferredTo).toBe(later);
  });

  it('of hard constraints and P0 hold in every mode, and are never put off', () => {
    const hard = findingsOf(aRule({ is_hard_constraint: true, priority: 'P2' }), aResult(), {
      ...CONTEXT,
      phase: 'IMPLEMENTATION',
    });
    expect(hard[0]).toMatchObject({ enforcedBy: 'hard_constraint', hard: true });
    expect(hard[0]).not.toHaveProperty('deferredTo');
    expect(findingsOf(aRule({ priority: 'P0' }), aResult(), CONTEXT)[0]?.enforcedBy).toBe('hard_constraint');
    expect(findingsOf(aRule(), aResult(), CONTEXT)[0]).not.toHaveProperty('enforcedBy');
  });

  it('say where their rule is not to be waived', () => {
    expect(findingsOf(aRule({ waivable: false }), aResult(), CONTEXT)[0]?.waivable).toBe(false);
    expect(findingsOf(aRule(), aResult(), CONTEXT)[0]).not.toHaveProperty('waivable');
  });
});
