import { describe, expect, it } from 'vitest';
import { PHASES, PRIORITIES } from '../../../../src/rules/model/rule-words.ts';
import {
  LADDER,
  findDeferredPhase,
  isWeaker,
  mayAct,
  getRung,
  withOverrides,
} from '../../../../src/rules/enforce/ladder.ts';

describe('the ladder', () => {
  it.each([
    ['CRITICAL', 'P0', 'TERMINATE', true, true, 'MAX', 'MUST'],
    ['HIGH', 'P1', 'QUICK_FIX', false, false, 0, 'MUST'],
    ['MEDIUM', 'P2', 'LOG_ONLY', false, false, 0, 'SHOULD'],
    ['LOW', 'P3', 'SOFT_HOOK', false, false, 0, 'MAY'],
  ] as const)('makes of %s what the design says', (severity, priority, handler, human, back, penalty, modality) => {
    const rung = LADDER[severity];
    expect([
      rung.priority,
      rung.handler,
      rung.notify_human,
      rung.rollback,
      rung.iteration_penalty,
      rung.modality,
    ]).toEqual([priority, handler, human, back, penalty, modality]);
    expect(getRung(priority)).toBe(rung);
  });

  it('lets a project say what its priorities do, but for P0, which always stops and calls a human', () => {
    const own = withOverrides({
      P0: { handler: 'LOG_ONLY', notify_human: false, iteration_penalty: 3 },
      P2: { handler: 'QUICK_FIX', notify_human: true },
    });
    expect(own.CRITICAL).toMatchObject({ handler: 'TERMINATE', notify_human: true, iteration_penalty: 3 });
    expect(own.MEDIUM).toMatchObject({ handler: 'QUICK_FIX', notify_human: true });
    expect(own.HIGH).toEqual(LADDER.HIGH);
  });

  it('knows which handler does less', () => {
    expect([
      isWeaker('LOG_ONLY', 'TERMINATE'),
      isWeaker('TERMINATE', 'LOG_ONLY'),
      isWeaker('QUICK_FIX', 'QUICK_FIX'),
    ]).toEqual([true, false, false]);
  });
});

describe('the matrix of phases', () => {
  const acting = { ANALYSIS: 4, TASKS: 3, IMPLEMENTATION: 2, REVIEW: 3, TEST: 4 } as const;

  it.each(PHASES.flatMap((phase) => PRIORITIES.map((priority, at) => [phase, priority, at < acting[phase]] as const)))(
    'in %s lets %s act: %s',
    (phase, priority, may) => {
      expect(mayAct(priority, phase)).toBe(may);
    },
  );

  it('puts off what may not act to the next phase that admits it', () => {
    expect(findDeferredPhase('P2', 'IMPLEMENTATION')).toBe('REVIEW');
    expect(findDeferredPhase('P3', 'IMPLEMENTATION')).toBe('TEST');
    expect(findDeferredPhase('P3', 'TASKS')).toBe('TEST');
    expect(findDeferredPhase('P1', 'IMPLEMENTATION')).toBeUndefined();
    expect(findDeferredPhase('P3', undefined)).toBeUndefined();
  });
});
