import { describe, expect, it } from 'vitest';
import { HALT_WORDS } from '../../../../src/line/halts/halt-words.ts';
import { summarizeHalt, type HaltSummary } from '../../../../src/line/halts/halt-summary.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { BREAKERS, type BreakerId, type Trip } from '../../../../src/line/record/trip.ts';
import { haltPaths } from '../../../support/tripped.ts';
import { aHalt, aJudgedRecord, aRecord, called, withLimits, type Changes } from '../../../support/records.ts';

const RED = {
  gate: 'test',
  run: 'npm test',
  commit: 'e36d523'.padEnd(40, '0'),
  tree: 'd'.repeat(40),
  outcome: 'red' as const,
  exit: 1,
  output: 'not ok 1',
  key: 'k',
  also: [],
};
const TESTS = { format: 'TAP', passed: 1, failed: 1 };

/** A halt as its breaker makes it of a record. */
function halted(breaker: BreakerId, changes: Changes = {}, more: Partial<Trip> = {}): HaltSummary {
  const trip = { breaker, reason: 'why', sides: [{ who: 'judge', says: 'no' }], ...more };
  const record = aJudgedRecord({ calls: [usd('implementer', 0.03), usd('judge', 0.01)], ...changes });
  return summarizeHalt(record, aHalt({ trip, paths: haltPaths(breaker, record), statusBefore: record.status }));
}
const usd = (station: 'implementer' | 'judge', cost: number): TaskRecord['calls'][number] =>
  called({ station, usd: cost });
const budget = (dollars: number): Changes => ({
  contract: withLimits({ budget: { usd: dollars, tokens: undefined, minutes: undefined } }),
});
const spent = (dollars: number): Changes => ({ spent: { ...aJudgedRecord().spent, usd: dollars } });

describe('what a halt is decided by', () => {
  it.each(BREAKERS)('has a phrase of at most six words and one question in words for %s', (breaker) => {
    const { phrase, question } = halted(breaker);
    expect(phrase.split(' ').length).toBeLessThanOrEqual(6);
    expect(question).toMatch(/^[A-Z`].*\?$/s);
    expect(phrase + question).not.toContain('_');
    expect(HALT_WORDS[breaker].phrase).toBe(phrase);
  });

  it.each(BREAKERS.filter((breaker) => breaker !== 'cord'))('suggests a path for %s that is not drastic', (breaker) => {
    const { suggestion, paths } = halted(breaker, breaker === 'base_red' ? { lastFacts: { baseRed: RED } } : {});
    expect(suggestion?.why).toMatch(/\w/);
    expect(paths[(suggestion?.path ?? 0) - 1]?.is_drastic).toBe(false);
  });

  it('suggests nothing where a person stopped the task: only that person knows why', () => {
    expect(halted('cord').suggestion).toBeNull();
  });

  it('suggests the fix of a flaw, and says what one more round costs by the last calls', () => {
    const { suggestion, question, paths } = halted('paradox');
    expect(question).toBe('Reviewer and judge disagree: is this a security flaw?');
    expect(suggestion).toEqual({
      path: 1,
      why: 'a flaw that is merged costs more than its fix; one more round costs about $0.04',
    });
    expect(paths.map(({ is_drastic: drastic }) => drastic)).toEqual([false, true]);
  });

  it('suggests comparing a red base test by test where its results are readable, and waiting where not', () => {
    expect(halted('base_red', { lastFacts: { baseRed: { ...RED, tests: TESTS } } })).toMatchObject({
      question: 'Gate test fails on main before any change (1 of 2 tests). What should this task do about it?',
      suggestion: { path: 2, why: 'the results are readable: no test that passes now (1) may fail' },
    });
    expect(halted('base_red', { lastFacts: { baseRed: RED } }).suggestion).toEqual({
      path: 2,
      why: 'the task did not break the gate, and goes on once main is mended',
    });
  });

  it.each([
    [
      'too-long',
      'the work is kept; it goes on once its model has a larger window',
      'Give its model a larger window first',
    ],
    ['stall', 'it was only silent, and nothing it wrote was rejected', 'learns why the last one failed'],
    ['empty', 'the next prompt says why the last answer failed', 'learns why the last one failed'],
  ])('says of failures by %s what another try needs', (kind, why, does) => {
    const strikes = [1, 2].map(() => ({ station: 'local-reviewer' as const, kind, why: 'it failed' }));
    const { suggestion, paths } = halted('stalled', { strikes, stalls: 2 });
    expect(suggestion).toEqual({ path: 1, why });
    expect(paths[0]?.does).toContain(does);
  });

  it('does not suggest again what led to the same halt', () => {
    const again = {
      to: 'erik_consultation' as const,
      from: 'pending_implementer' as const,
      at: '2026-01-16T12:00:00.000Z',
    };
    const history = [1, 2].map(() => ({ ...again, event: 'circuit_breaker_halt' as const, reason: 'stalled: why' }));
    const lastChoice = {
      halt: 'DOC-001-6',
      path: 1 as const,
      by: 'erik',
      effect: { to: 'pending_implementer' as const },
    };
    expect(halted('stalled', { history, lastChoice }).suggestion).toBeNull();
    expect(halted('stalled', { history: history.slice(1), lastChoice }).suggestion?.path).toBe(1);
  });

  it('names sums that carry one and two more rounds, and refuses a raise that does not carry the next call', () => {
    const calls = [usd('implementer', 0.22), usd('judge', 0.22)];
    const facts = { ...budget(0.3), ...spent(0.44), calls, status: 'pending_judge_review' as const };
    const { money, question, suggestion } = halted('budget', facts);
    expect(question).toBe('The task has used $0.44 of its $0.30. Give it more?');
    expect(money).toMatchObject({ spent_usd: 0.44, budget_usd: 0.3, next_usd: 0.22 });
    expect(money?.sums).toEqual([
      { rounds: 1, usd: 0.99 },
      { rounds: 2, usd: 1.54 },
    ]);
    expect(suggestion?.path).toBe(1);
    const record = aJudgedRecord(facts);
    const trip = { breaker: 'budget' as const, reason: 'why', sides: [] };
    const [raise, end] = haltPaths('budget', record);
    const low = aHalt({
      trip,
      statusBefore: 'pending_judge_review',
      paths: [{ ...raise, effect: { ...raise.effect, usd: 0.3 } }, end],
    });
    expect(summarizeHalt(record, low)).toMatchObject({
      suggestion: { path: 1 },
      paths: [{ futile: 'It leaves $0.16, and the next call takes about $0.22.' }, { futile: null }],
    });
  });

  it.each([
    ['that a call was refused for', { lastFacts: { budget: 'x', budgetPart: 'tokens' } }, '0 of its 100 tokens'],
    ['that is passed', { spent: { ...aJudgedRecord().spent, tokens: 101 } }, '101 of its 100 tokens'],
    ['in minutes', { lastFacts: { budget: 'x', budgetPart: 'minutes' } }, "0.0 of its 9 minutes of agents' time"],
    ['in dollars where nothing tells it, as in older journals', { lastFacts: { budget: 'x' } }, '$0.00 of its $0.50'],
  ] as const)('asks about the limit %s, whatever others there are', (_, facts, used) => {
    const contract = withLimits({ budget: { usd: 0.5, tokens: 100, minutes: 9 } });
    const { question } = halted('budget', { contract, spent: aRecord().spent, ...facts });
    expect(question).toBe(`The task has used ${used}. Give it more?`);
  });

  it('knows halts of one cause by gate and commit, and none where a path asks for words', () => {
    const cause = (commit: string) => halted('base_red', { lastFacts: { baseRed: { ...RED, commit } } }).cause;
    expect(cause('a')).toBe(cause('a'));
    expect(cause('a')).not.toBe(cause('b'));
    expect(halted('paradox').cause).toBeNull();
  });
});
