import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { PACKS } from '../../../../src/rules/files/rulebook/rulebook.ts';
import { idleParts } from '../../../../src/rules/load/lint-rule.ts';
import { readRulebook } from '../../../../src/rules/load/read-rulebook.ts';

/** The notes on idle parts of a rule as a file writes it. */
async function idleIn(written: object): Promise<readonly string[]> {
  const text = stringify({
    schema: 'andon.rules/v1',
    rules: [{ id: 'R', severity: 'MEDIUM', message: 'No', ...written }],
  });
  const { rules, faults } = await readRulebook([{ name: 'a.yaml', text }]);
  expect(faults).toEqual([]);
  return rules.flatMap(({ rule }) => idleParts(rule));
}

const PATTERN = { match: { pattern: 'x' } };
const ANSWER = { action_text: 'be kind' };
const REFUND = { ...ANSWER, enforcement_expression: 'amount <= 50' };

describe('a note names what has no effect where it stands', () => {
  test.each<[string, object]>([
    ['without metadata.metric_threshold', { metadata: { metric: 'file_lines' }, ...PATTERN }],
    ['metric_threshold is no number', { metadata: { metric_threshold: 'fifty' } }],
    ['measures nothing beside a pattern', { metadata: { metric_threshold: 50 }, ...PATTERN }],
    ['ANALYSIS has no added_lines', { phase: 'ANALYSIS', ...PATTERN }],
    [
      'TEST has no response, which its expression asks about',
      { phase: 'TEST', enforcement_expression: 'amount <= 50' },
    ],
    ['IMPLEMENTATION has no test_output', { phase: 'IMPLEMENTATION', match: { on: 'test_output', pattern: 'x' } }],
    ['file_patterns mean nothing for response', { match: { on: 'response', pattern: 'x', file_patterns: ['*.ts'] } }],
    [
      'its expression is asked of the name of each changed file',
      { match: { on: 'diff_paths' }, enforcement_expression: 'amount <= 50' },
    ],
    ['nothing judges added_lines', { ...ANSWER, match: { on: 'added_lines', file_patterns: ['*.ts'] } }],
    ['action_text has no effect on the line', { ...ANSWER, phase: ['TASKS', 'TEST'] }],
    ['scope_id a means nothing with scope GLOBAL', { ...ANSWER, scope_id: 'a' }],
    ['metadata.scenario of a contract', { ...ANSWER, scope: 'SCENARIO', scope_id: 'a' }],
    ['the nearest is pending_implementer', { ...ANSWER, scope: 'STEP', scope_id: 'pending-implementer' }],
    ['soft_hooks has no effect with LOG_ONLY', { ...PATTERN, soft_hooks: { enabled: true } }],
    ['priority_boost has no effect with LOG_ONLY', { ...PATTERN, metadata: { priority_boost: true } }],
    ['quick_fix has no effect with LOG_ONLY', { ...PATTERN, quick_fix: { type: 'TYPE-A' } }],
    ['rollback has no effect with LOG_ONLY', { ...PATTERN, rollback: true }],
    ['fallback has no effect', { ...PATTERN, fallback: 'Sorry.' }],
    ['on_missing means nothing', { ...PATTERN, on_missing: 'violation' }],
    ['attached_tool_ids are kept', { ...PATTERN, attached_tool_ids: ['a'] }],
  ])('%s', async (said, written) => {
    expect(await idleIn(written)).toEqual([expect.stringContaining(said)]);
  });
});

describe('there is no note', () => {
  test.each<[string, object]>([
    ['of a pattern over new lines', PATTERN],
    ['of a rule of the review without a place', { ...PATTERN, phase: 'REVIEW' }],
    ['of an expression with a fallback', { ...REFUND, fallback: 'Sorry.', on_missing: 'violation' }],
    [
      'of an expression that only narrows when it holds',
      { ...REFUND, match: { context_filter: { agent_type: 'Judge' } } },
    ],
    ['of a step of the line', { ...ANSWER, scope: 'STEP', scope_id: 'pending_implementer' }],
    ['of a measure', { phase: 'IMPLEMENTATION', metadata: { metric_threshold: 50 } }],
    [
      'of a reminder that is boosted in a later phase',
      {
        severity: 'LOW',
        ...PATTERN,
        soft_hooks: { priority_boost_phase: 'REVIEW', interceptors: [{ type: 'referrer', config: { threshold: 3 } }] },
      },
    ],
    ['of a plan', { content: 'Never hardcode keys', checks: [{ type: 'plan' }], phase: ['ANALYSIS', 'TASKS'] }],
  ])('%s', async (_, written) => {
    expect(await idleIn(written)).toEqual([]);
  });

  test('of any rule that is shipped', async () => {
    const text = stringify({ extends: [...PACKS.names] });
    const { rules, faults } = await readRulebook([{ name: 'a.yaml', text }], { packs: PACKS, selfTests: false });
    expect(faults).toEqual([]);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.flatMap(({ rule }) => idleParts(rule))).toEqual([]);
  });
});
