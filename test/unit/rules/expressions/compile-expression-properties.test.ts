import { array, assert, constantFrom, integer, letrec, oneof, pre, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, type Evaluation } from '../../../../src/rules/expressions/compile-expression.ts';
import type { Value } from '../../../../src/rules/expressions/value.ts';

const evaluated = (source: string, variables: ReadonlyMap<string, Value>): Evaluation | undefined => {
  const made = compileExpression(source);
  return made.ok ? made.value.evaluate(variables) : undefined;
};

/** Pieces out of which almost anything can be put together, also what is none of the language. */
const PIECES = [
  ..."a 'x' ( ) { } , <= - ** // << len . : \\ __proto__ ' 😀 \u0000".split(' '),
  ...' and |not | in | is | if | else |lambda |\n'.split('|'),
];

/** Expressions of the language, as deep as it comes. */
const { condition } = letrec<{ number: string; condition: string }>((tie) => ({
  number: oneof(
    { maxDepth: 3 },
    integer({ min: 0, max: 20 }).map(String),
    constantFrom('a', 'b'),
    tuple(tie('number'), constantFrom('+', '-', '*'), tie('number')).map(([x, by, y]) => `(${x} ${by} ${y})`),
    tie('number').map((x) => `abs(${x})`),
  ),
  condition: oneof(
    { maxDepth: 4 },
    tuple(tie('number'), constantFrom('<', '<=', '==', '!=', '>'), tie('number')).map((three) => three.join(' ')),
    tuple(tie('condition'), constantFrom('and', 'or'), tie('condition')).map(([x, by, y]) => `(${x}) ${by} (${y})`),
    tie('condition').map((x) => `not (${x})`),
  ),
}));

const someNumber = integer({ min: -20, max: 20 });

describe('whatever is written as an expression', () => {
  it('is compiled or refused at a place in it, and never throws', () => {
    assert(
      property(array(constantFrom(...PIECES), { maxLength: 40 }), someNumber, (pieces, a) => {
        const source = pieces.join('');
        const made = compileExpression(source);
        if (!made.ok) return made.why.at >= 0 && made.why.at <= source.length && made.why.message !== '';
        return ['true', 'false', 'unknown', 'error'].includes(made.value.evaluate(new Map([['a', a]])).outcome);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a condition over numbers', () => {
  it('that is decided without a variable is decided the same way whatever its value', () => {
    assert(
      property(condition, someNumber, someNumber, (source, a, b) => {
        const without = evaluated(source, new Map([['a', a]]))?.outcome;
        pre(without === 'true' || without === 'false');
        const withIt = new Map([
          ['a', a],
          ['b', b],
        ]);
        expect(evaluated(source, withIt)?.outcome).toBe(without);
      }),
    );
  });
});
