import { describe, expect, test } from 'vitest';
import { RUNNERS } from './runners/index.ts';

const ask = async (feature: string, input: object): Promise<unknown> =>
  RUNNERS[feature]?.({ id: `${feature}-1`, input: { ...input }, fixtures: {} });

describe('a row that its runner does not know', () => {
  test.each([
    ['breakers', { rebuttal_count: 3, moon: 'full' }, 'does not know moon beside rebuttal_count'],
    ['breakers', { moon: 'full' }, 'no kind of row has the fields moon'],
    ['breakers', { status: 'lost', minutes_in_status: 11, timeout_minutes: 10 }, 'no status is called lost'],
    ['breakers', { current_hash: 'a', history: [{ file_hash: 'a', verdict: 'MAYBE' }] }, 'no verdict is called MAYBE'],
    ['breakers', { scenario: 'everything goes wrong' }, 'nothing on the line is'],
    ['cost-budget', { spent: 1, limit: 2, currency: 'EUR' }, 'does not know currency'],
    ['cost-budget', { spent: 'much', limit: 2 }, 'spent must be a number'],
  ])('fails and says why: %s %j', async (feature, input, why) => {
    await expect((async () => ask(feature, input))()).rejects.toThrow(why);
  });
});

describe('other rows than those that lie here', () => {
  test.each([
    ['breakers', { rebuttal_count: 3, max_rebuttals: 2 }, { halt: true, breaker: 'rebuttal_limit' }],
    ['breakers', { rebuttal_count: 5, complexity: 'major' }, { halt: true, breaker: 'rebuttal_limit' }],
    ['breakers', { rebuttal_count: 0, max_rebuttals: 0 }, { halt: false }],
    ['breakers', { local_review: { critical: true }, judge_verdict: 'CONDITIONAL' }, { breaker: 'paradox' }],
    ['breakers', { status: 'pending_implementer', minutes_in_status: 31, timeout_minutes: 30 }, { breaker: 'stalled' }],
    ['breakers', { review_cycle_count: 3, max_review_cycles: 2 }, { breaker: 'review_cycle_limit' }],
    [
      'breakers',
      { review_cycle_count: 1, reports: [['naming of a variable', 'spacing']], verdicts: ['FAIL'] },
      { halt: false },
    ],
    ['cost-budget', { spent: 7.9, limit: 10 }, { warn: false }],
    ['cost-budget', { limit: 1, spent: 0.5, next: 0.5 }, { allowed: true }],
    ['cost-budget', { limit: 1, spent: 0.5, next: 0.51 }, { allowed: false, reason: 'session' }],
    ['cost-budget', { last_updated: 'today', daily_spent: 9, daily_limit: 10, next: 5 }, { allowed: false }],
    ['cost-budget', { model: 'qwen2.5-coder', runner: 'local', in: 1000, out: 10 }, { cost_usd: 0, warning: false }],
    ['cost-budget', { overrides: [] }, { override_total: 0 }],
  ])('are answered as well: %s %j', async (feature, input, expected) => {
    expect(await ask(feature, input)).toMatchObject(expected);
  });
});
