import { describe, expect, it } from 'vitest';
import { budget, listNearlySpent } from '../../../../src/line/breakers/budget.ts';
import { countDollarsLeft } from '../../../../src/agents/budget/normalise-usage.ts';
import { getBudget } from '../../../../src/line/record/get-budget.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aChange, called, aRecord, withLimits, pathsOf } from '../../../support/records.ts';

type Budget = TaskRecord['contract']['limits']['budget'];
const NONE: Budget = { usd: undefined, tokens: undefined, minutes: undefined };

const spent = (figures: Partial<TaskRecord['spent']>, named: Partial<Budget>, grants = {}): TaskRecord => {
  const record = aRecord({ contract: withLimits({ budget: { ...NONE, ...named } }) });
  return { ...record, spent: { ...record.spent, ...figures }, grants: { ...record.grants, ...grants } };
};

describe('the budget breaker', () => {
  it.each([
    ['no budget, however much was spent', spent({ usd: 1e6, tokens: 1e9, minutes: 1e6 }, {}), undefined],
    ['dollars exactly at the budget', spent({ usd: 0.5 }, { usd: 0.5 }), undefined],
    ['a hundredth of a cent above', spent({ usd: 0.5001 }, { usd: 0.5 }), '$0.5001 spent; the budget is $0.50'],
    ['a budget of less than a cent', spent({ usd: 0.0045 }, { usd: 0.0042 }), 'spent; the budget is $0.0042'],
    ['tokens exactly at the budget', spent({ tokens: 1000 }, { tokens: 1000 }), undefined],
    ['one token above', spent({ tokens: 1001 }, { tokens: 1000 }), '1001 tokens used; the budget is 1000'],
    ['minutes exactly at the budget', spent({ minutes: 30 }, { minutes: 30 }), undefined],
    ['a little more time', spent({ minutes: 30.1 }, { minutes: 30 }), "30.1 minutes of agents' time used"],
    ['a budget of nothing and nothing spent', spent({}, { usd: 0 }), undefined],
    ['a budget of nothing and a cent spent', spent({ usd: 0.01 }, { usd: 0 }), 'the budget is $0.00'],
    ['a budget that was raised', spent({ usd: 0.9 }, { usd: 0.5 }, { usd: 0.5 }), undefined],
    ['more than a raised budget', spent({ usd: 1.01 }, { usd: 0.5 }, { usd: 0.5 }), 'the budget is $1.00'],
    ['a grant without a budget', spent({ tokens: 99 }, {}, { tokens: 5 }), undefined],
  ])('%s', (_, record, reason) => {
    const trip = budget.check(record);
    if (reason === undefined) expect(trip).toBeUndefined();
    else expect(trip?.reason).toContain(reason);
  });

  it('stops before a call whose reserve does not fit, with the reason of whoever counted', () => {
    const record = aRecord({ lastFacts: { budget: 'the next call needs $0.30; $0.10 is left' } });
    expect(budget.check(record)?.reason).toBe('the next call needs $0.30; $0.10 is left');
  });

  it('shows the budget beside the whole bill, and how much of it is unknown', () => {
    const record = spent({ usd: 2, tokens: 10, unknownUsd: 1 }, { usd: 1 });
    expect(budget.check({ ...record, calls: [called()] })?.sides).toEqual([
      { who: 'budget', says: '$1.00' },
      {
        who: 'ledger',
        says: '1 call, $2.0000 (1 call of unknown cost, estimated or left out), 10 tokens, 0.0 s',
      },
    ]);
  });

  it('says that a task has no limit of its own where a ceiling cut it off', () => {
    const record = aRecord({ lastFacts: { budget: 'the ceiling of your account is used up' } });
    expect(budget.check(record)?.sides[0]).toEqual({ who: 'budget', says: 'no limit of its own' });
  });

  it('offers one more helping of what the contract allowed, at the same station', () => {
    const record = {
      ...spent({ usd: 0.5 }, { usd: 0.5, minutes: 10 }),
      status: 'review_in_progress' as const,
      lastFacts: { budget: 'x' },
    };
    const [raise, stop] = pathsOf(budget, record);
    expect(raise.effect).toEqual({ to: 'review_in_progress', usd: 0.5, minutes: 10 });
    expect(raise.does).toContain('$0.50, 10 minutes');
    expect(stop).toMatchObject({ does: 'No change was made, so git keeps none.', effect: { to: 'abandoned' } });
    const changed = { ...record, change: aChange() };
    expect(pathsOf(budget, changed)[1].does).toContain('refs/andon/');
  });

  it.each([
    ['what was spent above the budget', spent({ usd: 1 }, { usd: 0.5 }), { usd: 0.51 }, '$0.51'],
    ['a cent, where the budget was nothing', spent({}, { usd: 0 }), { usd: 0.01 }, '$0.01'],
    ['a sum that is no whole cent, as it is', spent({ usd: 0.02 }, { usd: 0.025 }), { usd: 0.025 }, '$0.025'],
    ['the time that was used above', spent({ minutes: 7.5 }, { minutes: 2 }), { minutes: 7 }, '7 minutes'],
    [
      'the tokens of the call that was refused',
      { ...spent({ tokens: 90 }, { tokens: 100 }), lastFacts: { budget: 'x', budgetTokens: 4096 } },
      { tokens: 4086 },
      '4086 tokens',
    ],
  ])('raises by what the next call needs, and shows that very sum: %s', (_, record, effect, shown) => {
    const [raise] = pathsOf(budget, { ...record, lastFacts: { budget: 'x', ...record.lastFacts } });
    expect(raise.effect).toMatchObject(effect);
    expect(raise.does).toContain(`by ${shown}.`);
  });

  it.each([
    ['dollars', { usd: 0.16 }, { usd: 0.16 }, { usd: 0.22 }, { usd: 0.28 }],
    ['dollars, less what is left', { usd: 0.1 }, { usd: 0.16 }, { usd: 0.22 }, { usd: 0.22 }],
    ['tokens', { tokens: 900 }, { tokens: 1000 }, { tokens: 4000 }, { tokens: 4900 }],
    ['minutes', { minutes: 4 }, { minutes: 4 }, { minutes: 8 }, { minutes: 11 }],
    ['the contract, where that is more', { usd: 5 }, { usd: 5 }, { usd: 0.22 }, { usd: 5 }],
  ])('raises by the rest of the round and a quarter on top: %s', (_, used, limit, round, effect) => {
    const budgetRound = { usd: 0, tokens: 0, minutes: 0, ...round };
    const record = { ...spent(used, limit), lastFacts: { budget: 'x', budgetRound } };
    expect(pathsOf(budget, record)[0].effect).toMatchObject(effect);
  });

  it('offers another try where the task names no budget', () => {
    const [again] = pathsOf(budget, { ...spent({}, {}), lastFacts: { budget: 'x' } });
    expect(again).toMatchObject({ title: 'Try again', effect: { to: aRecord().status } });
  });

  it('takes a cent that is left for a cent, whatever fractions make of it', () => {
    expect(0.03 - 0.02).toBeLessThan(0.01);
    expect(countDollarsLeft(0.03, 0.02)).toBe(0.01);
    expect(budget.check(spent({ usd: 0.1 + 0.2 }, { usd: 0.3 }))).toBeUndefined();
  });

  it('adds what a human granted to what the contract names, and invents no budget', () => {
    expect(getBudget(spent({}, { usd: 0.5 }, { usd: 0.25, tokens: 100 }))).toEqual({
      usd: 0.75,
      tokens: undefined,
      minutes: undefined,
    });
  });
});

describe('a budget of which most is used', () => {
  const none = spent({}, { usd: 10, tokens: 1000, minutes: 50 });
  const told = (figures: Partial<TaskRecord['spent']>, before = none): readonly string[] =>
    listNearlySpent(before, { ...none, spent: { ...none.spent, ...figures } });

  it.each([
    [{ usd: 7.99, tokens: 799, minutes: 39.9 }, []],
    [{ usd: 8 }, ['80 % of the budget is used: $8.0000 of $10.00']],
    [{ usd: 8.1 }, ['81 % of the budget is used: $8.1000 of $10.00']],
    [{ tokens: 800 }, ['80 % of the budget is used: 800 of 1000 tokens']],
    [{ minutes: 40 }, ["80 % of the budget is used: 40.0 of 50 minutes of agents' time"]],
  ])('after %j a human is told %j', (figures, words) => {
    expect(told(figures)).toEqual(words);
  });

  it('is told of once, and again when it was raised and most of that is used', () => {
    expect(told({ usd: 9 }, { ...none, spent: { ...none.spent, usd: 8 } })).toEqual([]);
    const raised = { ...none, grants: { ...none.grants, usd: 10 } };
    const at = (usd: number): TaskRecord => ({ ...raised, spent: { ...raised.spent, usd } });
    expect(listNearlySpent(at(9), at(16))).toEqual(['80 % of the budget is used: $16.0000 of $20.00']);
  });

  it('is never one of nothing', () => {
    expect(listNearlySpent(spent({}, { usd: 0 }), spent({ usd: 1 }, { usd: 0 }))).toEqual([]);
  });
});
