import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { foldHooks, hookAnswers, hookEvents, mayIgnore } from '../../../src/rules/soft-hooks.ts';
import { effectiveHandling, upgradeOf } from '../../../src/rules/enforce/ladder.ts';
import { quickFix, type QuickFixRequest } from '../../../src/rules/quick-fix.ts';
import { aRule } from '../../support/rules.ts';

const hooks = (part: Partial<NonNullable<Rule['soft_hooks']>> = {}): NonNullable<Rule['soft_hooks']> => ({
  enabled: true,
  can_be_ignored: true,
  notify_on_ignore: false,
  interceptors: [],
  ...part,
});
const soft = (part: Partial<Rule> = {}): Rule =>
  aRule({ severity: 'LOW', priority: 'P3', modality: 'MAY', handler: 'SOFT_HOOK', ...part });
const after = (rule: Rule, ignored: number, phase?: 'IMPLEMENTATION' | 'REVIEW', quality?: 'high') => {
  const { priority, handler } = effectiveHandling(
    rule,
    { ...(phase && { phase }), ...(quality && { quality }) },
    ignored,
  );
  return `${priority} ${handler}`;
};

describe('a soft hook', () => {
  it('counts how often it was ignored, and begins anew once it was complied with', () => {
    const ignore = { rule: 'R', action: 'IGNORED' } as const;
    const raised = { rule: 'R', action: 'RAISED' } as const;
    expect(foldHooks([raised, ignore, ignore]).get('R')).toBe(2);
    expect(foldHooks([raised, ignore, { rule: 'R', action: 'COMPLIED' }]).has('R')).toBe(false);
    expect(foldHooks([raised, ignore, { rule: 'R', action: 'COMPLIED' }, raised]).get('R')).toBe(0);
  });

  it('becomes P2 and is logged when it was ignored for the third time', () => {
    expect([0, 2, 3, 9].map((times) => after(soft(), times))).toEqual([
      'P3 SOFT_HOOK',
      'P3 SOFT_HOOK',
      'P2 LOG_ONLY',
      'P2 LOG_ONLY',
    ]);
  });

  it('becomes what its interceptor says, after as many times as it says', () => {
    const rule = soft({
      soft_hooks: hooks({ interceptors: [{ type: 'referrer', config: { threshold: 2, upgrade_to: 'P1' } }] }),
    });
    expect([after(rule, 1), after(rule, 2)]).toEqual(['P3 SOFT_HOOK', 'P1 QUICK_FIX']);
    expect(upgradeOf(rule)).toEqual({ threshold: 2, to: 'P1' });
  });

  it('counts for more in the phase that boosts it, and only there', () => {
    const rule = soft({ soft_hooks: hooks({ priority_boost_phase: 'REVIEW' }) });
    expect([after(rule, 0, 'IMPLEMENTATION'), after(rule, 0, 'REVIEW')]).toEqual(['P3 SOFT_HOOK', 'P2 LOG_ONLY']);
  });

  it('with priority_boost counts for more only where high quality is asked for', () => {
    const rule = soft({ metadata: { priority_boost: true, enforceable: false } });
    expect([after(rule, 0, 'REVIEW'), after(rule, 0, 'REVIEW', 'high')]).toEqual(['P3 SOFT_HOOK', 'P2 LOG_ONLY']);
  });

  it('that is not enforceable never becomes more by being ignored', () => {
    expect(after(soft({ metadata: { enforceable: false } }), 100)).toBe('P3 SOFT_HOOK');
  });

  it('that is switched off is only logged', () => {
    expect(after(soft({ soft_hooks: hooks({ enabled: false }) }), 5)).toBe('P3 LOG_ONLY');
  });

  it('says whether it may be ignored', () => {
    expect(mayIgnore(soft())).toBe(true);
    expect(mayIgnore(soft({ soft_hooks: hooks({ can_be_ignored: false }) }))).toBe(false);
  });

  it('is nothing that rules with another handler have', () => {
    expect(after(aRule({ metadata: { priority_boost: true } }), 9, 'REVIEW', 'high')).toBe('P1 QUICK_FIX');
  });
});

describe('the quick channel', () => {
  it.each<[string, QuickFixRequest, boolean]>([
    ['five places of a spelling', { type: 'TYPE-A', places: 5 }, true],
    ['six places of a spelling', { type: 'TYPE-A', places: 6 }, false],
    ['one guard', { type: 'TYPE-B', places: 1 }, true],
    ['two guards', { type: 'TYPE-B', places: 2 }, false],
    ['three test cases', { type: 'TYPE-C', places: 3 }, true],
    ['four test cases', { type: 'TYPE-C', places: 4 }, false],
    ['ten lines of documentation', { type: 'TYPE-D', places: 10 }, true],
    ['eleven lines of documentation', { type: 'TYPE-D', places: 11 }, false],
    ['a second fix of a stage', { fixesInStage: 1 }, true],
    ['a third fix of a stage', { fixesInStage: 2 }, false],
    ['a fourth fix of a task', { fixesInTask: 3 }, false],
    ['a fourth fix of a file', { fixesInFile: 3 }, false],
    ['a new branch of logic', { addsLogicBranch: true }, false],
    ['a changed interface', { changesInterface: true }, false],
  ])('for %s: %j → %s', (_, request, eligible) => {
    const answer = quickFix(request);
    expect(answer.eligible).toBe(eligible);
    expect(answer.iterationDelta).toBe(eligible ? 0 : 1);
    expect(answer.why === undefined).toBe(eligible);
  });

  it('holds a rule to its own cap where that is lower', () => {
    expect(quickFix({ type: 'TYPE-A', places: 3 }, { type: 'TYPE-A', max_fixes: 2 }).eligible).toBe(false);
    expect(quickFix({ type: 'TYPE-A', places: 6 }, { type: 'TYPE-A', max_fixes: 50 }).eligible).toBe(false);
  });
});

describe('what becomes of a soft hook', () => {
  const event = (action: 'RAISED' | 'TOLD' | 'IGNORED' | 'COMPLIED', task = 'A') => ({ rule: 'R', action, task });
  const found = new Set(['R']);

  it.each([
    ['found for the first time it is raised', [], found, ['RAISED']],
    ['found again and never told of, nothing', [event('RAISED')], found, []],
    ['found again and told of in another task, nothing', [event('RAISED'), event('TOLD', 'B')], found, []],
    ['found again and told of, ignored', [event('RAISED'), event('TOLD')], found, ['IGNORED']],
    [
      'found again since it was ignored, nothing until it is told again',
      [event('TOLD'), event('RAISED'), event('TOLD'), event('IGNORED')],
      found,
      [],
    ],
    ['gone and told of, complied with', [event('RAISED', 'B'), event('TOLD')], new Set<string>(), ['COMPLIED']],
    ['gone in the task that raised it, complied with', [event('RAISED')], new Set<string>(), ['COMPLIED']],
    ['not there in a task that was never told, nothing', [event('RAISED', 'B')], new Set<string>(), []],
  ] as const)('%s', (_, past, now, expected) => {
    expect(hookEvents(past, 'A', now).map(({ action }) => action)).toEqual(expected);
  });

  it('is answered in a line of its own, whatever stands around', () => {
    const said = 'As asked.\n- IGNORE PRACTICE-001: it is private\nCOMPLY a.b\nWe IGNORE x here\nignore y\n`COMPLY` z';
    expect([...hookAnswers(said)]).toEqual([
      ['PRACTICE-001', 'IGNORE'],
      ['a.b', 'COMPLY'],
      ['z', 'COMPLY'],
    ]);
  });
});
