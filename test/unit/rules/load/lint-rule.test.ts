import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { PACKS } from '../../../../src/rules/files/rulebook.ts';
import { readRulebook } from '../../../../src/rules/load/read-rulebook.ts';

/** The notes on a rule as a file writes it. */
async function notesOn(written: object): Promise<readonly string[]> {
  const text = stringify({
    schema: 'andon.rules/v1',
    rules: [{ id: 'R', severity: 'MEDIUM', message: 'No', ...written }],
  });
  const { faults, notes } = await readRulebook([{ name: 'a.yaml', text }]);
  expect(faults).toEqual([]);
  return notes.map(({ message }) => message);
}

const PATTERN = { match: { pattern: 'x' } };
const ANSWER = { action_text: 'be kind' };

describe('a rule that never acts on the line', () => {
  test.each<[string, object]>([
    ['ANALYSIS has no added_lines', { phase: 'ANALYSIS', ...PATTERN }],
    ['TEST has no response', { phase: 'TEST', enforcement_expression: 'amount <= 50' }],
    ['IMPLEMENTATION has no test_output', { phase: 'IMPLEMENTATION', match: { on: 'test_output', pattern: 'x' } }],
    [
      'STEP pending-implementer is no status of the line; those are ',
      { ...ANSWER, scope: 'STEP', scope_id: 'pending-implementer' },
    ],
  ])('is noted: %s', async (said, written) => {
    expect(await notesOn(written)).toEqual([expect.stringContaining(said)]);
  });

  test.each<[string, object]>([
    ['a pattern over new lines', PATTERN],
    ['a rule of the review without a place', { ...PATTERN, phase: 'REVIEW' }],
    ['a step of the line', { ...ANSWER, scope: 'STEP', scope_id: 'pending_implementer' }],
    ['a plan', { content: 'Never hardcode keys', checks: [{ type: 'plan' }], phase: ['ANALYSIS', 'TASKS'] }],
    [
      'a reminder that is boosted in a later phase',
      { severity: 'LOW', ...PATTERN, soft_hooks: { priority_boost_phase: 'REVIEW' } },
    ],
  ])('is not %s', async (_, written) => {
    expect(await notesOn(written)).toEqual([]);
  });

  test('is not shipped', async () => {
    const text = stringify({ extends: [...PACKS.names] });
    const { rules, faults, notes } = await readRulebook([{ name: 'a.yaml', text }], { packs: PACKS, selfTests: false });
    expect(faults).toEqual([]);
    expect(rules.length).toBeGreaterThan(10);
    expect(notes.filter(({ message }) => message.includes('never acts'))).toEqual([]);
  });
});

describe('what no check goes by is noted', () => {
  test.each<[string, object]>([
    [
      'does not go by `file_pattern`, but by pattern, ',
      { checks: [{ type: 'regex', pattern: 'x', file_pattern: '*.js' }] },
    ],
    ['does not go by `severity`', { checks: [{ type: 'file-exists', path: 'LICENSE', severity: 'high' }] }],
    ['the slashes and letters around /todo/i', { match: { pattern: '/todo/i' } }],
    ['the slashes and letters around /todo/i', { checks: [{ type: 'regex', pattern: '/todo/i' }] }],
  ])('%s', async (said, written) => {
    expect(await notesOn(written)).toEqual([expect.stringContaining(said)]);
  });

  test('and a path is no framed pattern', async () => {
    expect(await notesOn({ match: { on: 'diff_paths', pattern: '/api/v1/' } })).toEqual([]);
  });
});
