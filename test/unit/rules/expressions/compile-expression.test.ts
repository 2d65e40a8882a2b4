import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../../src/rules/expressions/compile-expression.ts';
import { valueFrom, type Value } from '../../../../src/rules/expressions/value.ts';

const variables = (plain: object): ReadonlyMap<string, Value> =>
  new Map(
    Object.entries(plain).map(([name, one]) => {
      const value = valueFrom(one);
      if (!value.ok) throw new Error(`${name}: ${value.why}`);
      return [name, value.value];
    }),
  );

const compiled = (source: string) => {
  const made = compileExpression(source);
  if (!made.ok) throw new Error(`${source}: ${made.why.message}`);
  return made.value;
};

const evaluated = (source: string, plain: object = {}) => compiled(source).evaluate(variables(plain));
const outcome = (source: string, plain: object = {}): string => evaluated(source, plain).outcome;

const fault = (source: string) => {
  const made = compileExpression(source);
  return made.ok ? undefined : made.why;
};

describe('the six expressions of the seed', () => {
  it.each([
    ['amount <= 50', { amount: 50 }, 'true'],
    ['amount <= 50', { amount: 50.01 }, 'false'],
    ["amount <= 50 or user_tier == 'VIP'", { amount: 75, user_tier: 'VIP' }, 'true'],
    ["amount <= 50 or user_tier == 'VIP'", { amount: 75, user_tier: 'standard' }, 'false'],
    ["country in ['US', 'CA', 'UK']", { country: 'CA' }, 'true'],
    ["country in ['US', 'CA', 'UK']", { country: 'FR' }, 'false'],
    ['discount_percent <= 10', { discount_percent: 12.5 }, 'false'],
    ['not contains_competitor_mention', { contains_competitor_mention: false }, 'true'],
    ['not contains_competitor_mention', { contains_competitor_mention: true }, 'false'],
    ['len(items) <= 5', { items: [1, 2, 3] }, 'true'],
  ])('%s with %j is %s', (source, plain, expected) => {
    expect(outcome(source, plain)).toBe(expected);
  });
});

describe('a variable that is not there', () => {
  it('leaves the answer open, and is named', () => {
    expect(evaluated('amount <= 50')).toMatchObject({ outcome: 'unknown', missing: ['amount'] });
  });

  it('leaves the answer open when it is there without a value', () => {
    expect(evaluated('amount <= 50', { amount: null })).toMatchObject({ outcome: 'unknown', missing: ['amount'] });
  });

  it.each([
    ['amount <= 50 or ok', 'true'],
    ['amount <= 50 and not ok', 'false'],
    ['amount <= 50 and ok', 'unknown'],
    ['not amount', 'unknown'],
    ['1 < amount < 10', 'unknown'],
    ['10 < 1 < amount', 'false'],
    ['max(amount, 3) > 1', 'unknown'],
    ['(amount or 5) == 5', 'unknown'],
    ['ok if amount else ok', 'unknown'],
    ["amount in ['x']", 'unknown'],
  ])('decides nothing that the rest decides: %s is %s', (source, expected) => {
    expect(outcome(source, { ok: true })).toBe(expected);
  });

  it('can be asked whether it is None only where it is there', () => {
    expect(outcome('amount is None', { amount: null })).toBe('true');
    expect(outcome('None != amount', { amount: 3 })).toBe('true');
    expect(outcome('amount is None')).toBe('unknown');
  });
});

describe('what cannot be computed is an error and never a value', () => {
  it.each([
    ["'a' < 1", 'have no order'],
    ['v + 10 > 20', 'does not go with'],
    ['1 / 0', 'divided by zero'],
    ['min([])', 'min of nothing'],
    ['items[3]', 'no such element'],
  ])('%s', (source, problem) => {
    expect(evaluated(source, { v: 'x', items: [1], d: { a: 1 }, name: 'x' })).toMatchObject({
      outcome: 'error',
      problem: expect.stringContaining(problem),
    });
  });

  it('takes no more than 10,000 steps', () => {
    const items = Array.from({ length: 9000 }, (_, at) => at);
    expect(outcome('-1 in items', { items })).toBe('false');
    expect(evaluated('-1 in items or -2 in items', { items })).toMatchObject({
      outcome: 'error',
      problem: 'it takes more than 10,000 steps',
    });
  });
});

describe('what is no expression of the language', () => {
  it.each([
    ['a && b', 'write and'],
    ['a || b', 'write or'],
    ['!a', 'write not'],
    ['a = 1', 'write == to compare'],
    ['a === 1', 'write =='],
    ['a == true', 'write True'],
    ['a == null', 'write None'],
    ['a.b', 'there are no attributes and methods: compare the value itself'],
    ['int(a)', 'there are len, abs, min, max, lower'],
    ['a is 5', 'write == or !='],
    ["'a' 'b'", 'join them with +'],
    ['x\nor y', 'write the expression in one line, or in brackets'],
  ])('%j is refused, with what to write: %s', (source, remedy) => {
    expect(fault(source)).toMatchObject({ remedy });
  });

  it.each(['import os', '__import__("os")', '', 'a <=', 'a in {10, 20} + 1'])('%j is refused', (source) => {
    expect(fault(source)).toBeDefined();
  });

  it('says where', () => {
    expect(fault('amount <= 50 && ok')).toMatchObject({ at: 13 });
    expect(fault('  amount = 50')).toMatchObject({ at: 9 });
  });

  it('is refused when it is too long or too deep', () => {
    expect(fault(`1${' + 1'.repeat(256)}`)).toMatchObject({ message: 'it is longer than 1024 characters' });
    expect(outcome(`1${' + 1'.repeat(200)} == 201`)).toBe('true');
    expect(outcome(`${'('.repeat(32)}1${')'.repeat(32)}`)).toBe('true');
    expect(fault(`${'('.repeat(33)}1${')'.repeat(33)}`)).toMatchObject({
      message: 'more than 32 levels within each other',
    });
    expect(fault(`${'not '.repeat(33)}ok`)).toMatchObject({ message: 'more than 32 levels within each other' });
  });
});

describe('variables', () => {
  it('are only what lies there as data', () => {
    const getter = Object.defineProperty({}, 'x', { get: () => 1, enumerable: true });
    const circle: { in?: unknown } = {};
    circle.in = circle;
    const wrong = [getter, new Map(), () => 1, 1n, NaN, 2 ** 60, undefined, circle, [getter]];
    for (const one of wrong) expect(valueFrom(one).ok).toBe(false);
  });

  it('are copied, so that what is changed later changes nothing', () => {
    const given = { items: [1] };
    const taken = variables(given);
    given.items.push(2);
    expect(compiled('len(items) == 1').evaluate(taken).outcome).toBe('true');
  });

  it('of inherited names are not there', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'prototype', 'process', 'globalThis'])
      expect(outcome(name, { x: 1 })).toBe('unknown');
  });

  it('are listed in the order in which they stand there', () => {
    expect(compiled('b + a > min(c, a) if d[e] else [f] in {g}').variables).toEqual([
      'b',
      'a',
      'c',
      'd',
      'e',
      'f',
      'g',
    ]);
  });
});

describe('the trace of an evaluation', () => {
  it('says of each condition what it came to, and by which values', () => {
    const { clauses } = evaluated("amount <= 50 or not (user_tier == 'VIP' and country)", {
      amount: 75.5,
      user_tier: 'VIP',
    });
    expect(clauses()).toEqual([
      'amount <= 50 is False (amount = 75.5)',
      "user_tier == 'VIP' is True (user_tier = 'VIP')",
      'country is unknown (country = unknown)',
    ]);
  });

  it('says what a condition could not be computed for', () => {
    expect(evaluated("amount < 'x'", { amount: 1 }).clauses()).toEqual([
      "amount < 'x' cannot be computed: a number and a text have no order (amount = 1)",
    ]);
  });
});
