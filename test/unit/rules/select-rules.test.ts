import { describe, expect, it } from 'vitest';
import type { InspectionContext, Subject } from '../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { rulesOfProfile, selectRules } from '../../../src/rules/select-rules.ts';
import { aRule } from '../../support/rules.ts';

const NOW: InspectionContext = { now: '2026-01-01T00:00:00.000Z' };
const NOTHING: Subject = { files: [] };
const file = (path: string): Subject => ({
  files: [{ path, change: 'added', binary: false, content: 'x', added: [{ line: 1, text: 'x' }] }],
});
const match = (part: Partial<NonNullable<Rule['match']>>): Rule['match'] => ({
  on: 'added_lines',
  mode: 'forbid',
  pattern: 'x',
  ...part,
});

const isKept = (rule: Rule, context: Partial<InspectionContext> = {}, subject: Subject = NOTHING): boolean =>
  selectRules([rule], subject, { ...NOW, ...context }).kept.length === 1;

describe('a rule is looked at', () => {
  it('whatever the task is about when it only measures', () => {
    const rule = aRule({ title: 'Function exceeds 50 lines', metadata: { metric_threshold: 50 } });
    expect(isKept(rule, { task: 'Merge both documents into one' })).toBe(true);
  });

  it('whatever the task is about when its words have lines looked through for secrets', () => {
    const rule = aRule({ title: 'Keys', content: 'Never hardcode API keys.' });
    expect(isKept(rule, { task: 'Animate the cart button' })).toBe(true);
  });

  it.each<[string, Partial<NonNullable<Rule['match']>>]>([
    ['words', { pattern: undefined, keywords: ['FIXME'] }],
    ['a pattern', {}],
    ['changed paths', { pattern: undefined, on: 'diff_paths', file_patterns: ['migrations/**'] }],
  ])('whatever the task is about when it looks for %s', (_, part) => {
    expect(isKept(aRule({ title: 'Leave it alone', match: match(part) }), { task: 'Animate the cart button' })).toBe(
      true,
    );
  });

  it.each<[string, Rule, Partial<InspectionContext>, boolean]>([
    ['in its phase', aRule({ phase: ['REVIEW'] }), { phase: 'REVIEW' }, true],
    ['not in another phase', aRule({ phase: ['REVIEW'] }), { phase: 'TASKS' }, false],
    ['whatever its phase when none is asked for', aRule({ phase: ['REVIEW'] }), {}, true],
    [
      'in the phase in which it is boosted',
      aRule({
        phase: ['IMPLEMENTATION'],
        soft_hooks: {
          enabled: true,
          can_be_ignored: true,
          notify_on_ignore: false,
          priority_boost_phase: 'REVIEW',
          interceptors: [],
        },
      }),
      { phase: 'REVIEW' },
      true,
    ],
    [
      'for the agent that its filter names',
      aRule({ match: match({ context_filter: { agent_type: 'Implementer' } }) }),
      { agentType: 'implementer' },
      true,
    ],
    ['for its stack', aRule({ stack: ['java'] }), { stack: ['Java'] }, true],
    ['not for another stack', aRule({ stack: ['python'] }), { stack: ['java'] }, false],
    ['for any stack when the project names none', aRule({ stack: ['python'] }), {}, true],
    ['in its scenario', aRule({ scope: 'SCENARIO', scope_id: 'complaint' }), { scopes: ['complaint'] }, true],
    [
      'not outside its step',
      aRule({ scope: 'STEP', scope_id: 'pay', is_hard_constraint: true }),
      { scopes: ['cart'] },
      false,
    ],
    ['in a profile that holds everything', aRule(), { profileRules: ['all'] }, true],
    ['in a profile that names its category', aRule({ category: 'security' }), { profileRules: ['security/*'] }, true],
    ['in a profile by its id', aRule({ id: 'security.no-x' }), { profileRules: ['security/no-*'] }, true],
    [
      'not in a profile of others',
      aRule({ id: 'securityx.no-x', category: 'style' }),
      { profileRules: ['security/*'] },
      false,
    ],
    [
      'in every profile as a hard constraint of everywhere',
      aRule({ is_hard_constraint: true }),
      { profileRules: ['style/*'] },
      true,
    ],
  ])('%s', (_, rule, context, kept) => {
    expect(isKept(rule, context)).toBe(kept);
  });

  it.each([
    ['*.py', 'a.py', true],
    ['*.py', 'src/deep/a.py', true],
    ['src/*.py', 'x/src/a.py', false],
  ])('with the glob %s for %s: %s', (glob, path, kept) => {
    expect(isKept(aRule({ match: match({ file_patterns: [glob] }) }), {}, file(path))).toBe(kept);
  });

  it('not where all files are excluded', () => {
    expect(isKept(aRule({ match: match({ exclude_patterns: ['*.test.ts'] }) }), {}, file('a.test.ts'))).toBe(false);
  });
});

describe('the rules of a profile', () => {
  const kept = (globs: readonly string[], ...ids: readonly string[]) =>
    rulesOfProfile(
      globs,
      ids.map((id) => aRule({ id })),
    ).kept.map(({ id }) => id);

  it('are those that one of its patterns names', () => {
    expect(kept(['security/*', 'global/*'], 'global.auth', 'security.secrets', 'style.css')).toEqual([
      'global.auth',
      'security.secrets',
    ]);
    expect(kept(['security/*'], 'security.web.xss', 'securityx.c')).toEqual(['security.web.xss']);
    expect(kept(['SEC-*'], 'SEC-001', 'PERF-001')).toEqual(['SEC-001']);
  });

  it('are said to be none for a pattern that names none', () => {
    const rules = [aRule({ id: 'security.x' }), aRule({ id: 'hard', is_hard_constraint: true })];
    expect(rulesOfProfile(['sekurity/*', 'all'], rules).idle).toEqual(['sekurity/*']);
    expect(rulesOfProfile(['sekurity/*'], rules).kept.map(({ id }) => id)).toEqual(['hard']);
  });
});

describe('a task about CSS', () => {
  const prose = (id: string, title: string, content: string, part: Partial<Rule> = {}): Rule =>
    aRule({ id, title, content, category: id, ...part });
  const css = prose('style.css', 'CSS Standards', 'Style with utility classes.', { tags: ['css', 'tailwind'] });
  const auth = prose('security.auth', 'Authentication Authorization', 'Every endpoint must require authentication.');
  const limits = prose('infra.k8s', 'Kubernetes Resource Limits', 'Pods must declare CPU and memory limits.');
  const secrets = prose('security.secrets', 'No Hardcoded Secrets', 'Never hardcode API keys.', {
    is_hard_constraint: true,
  });
  const pattern = aRule({ id: 'no-debugger', match: match({}) });
  const rules = [css, auth, limits, secrets, pattern];

  it('is not told that every rule of prose is relevant; hard constraints and what a program checks stay', () => {
    const { kept, left } = selectRules(rules, NOTHING, { ...NOW, task: 'Animate the CSS of the cart button' });
    expect(kept.map(({ id }) => id)).toEqual(['style.css', 'security.secrets', 'no-debugger']);
    expect(left.map(({ rule, why }) => [rule.id, why])).toEqual([
      ['security.auth', 'the task is about something else'],
      ['infra.k8s', 'the task is about something else'],
    ]);
  });

  it('keeps them all when there is no task', () => {
    expect(selectRules(rules, NOTHING, NOW).kept).toEqual(rules);
  });
});
