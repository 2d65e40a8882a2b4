import { describe, expect, test } from 'vitest';
import { listProseOnly } from '../../../../src/rules/files/inspect.ts';
import type { RuleResult } from '../../../../src/rules/model/inspection.ts';
import { aRule } from '../../../support/rules.ts';

const prose = (id: string) => aRule({ id, content: 'Validate all input.', match: undefined, checks: [] });
const result = (rule: string, status: RuleResult['status']): RuleResult => ({
  rule,
  title: rule,
  modality: 'SHOULD',
  severity: 'MEDIUM',
  status,
  confidence: 1,
  reason: '',
  layers: [],
});

describe('rules in prose beside a change', () => {
  test('are named where nothing was held against them', () => {
    const said = listProseOnly([prose('a'), prose('b')], {
      results: [result('a', 'NOT_APPLICABLE'), result('b', 'PASS')],
    });
    expect(said.join('\n')).toContain('1 rule is prose that no line of a change was checked against: a;');
  });

  test('are counted where they are many', () => {
    const ids = Array.from({ length: 7 }, (_, at) => `r${at}`);
    const [said] = listProseOnly(ids.map(prose), { results: ids.map((id) => result(id, 'NOT_APPLICABLE')) });
    expect(said).toContain(
      '7 rules are prose that no line of a change was checked against: r0, r1, r2, r3, r4 and 2 more;',
    );
  });

  test('say nothing of a rule with a pattern that found no file of its kind', () => {
    const rule = aRule({ id: 'a', match: { on: 'added_lines', mode: 'forbid', pattern: 'x' } });
    expect(listProseOnly([rule], { results: [result('a', 'NOT_APPLICABLE')] })).toEqual([]);
  });
});
