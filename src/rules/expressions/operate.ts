import { CannotEvaluate } from './expression-fault.ts';
import type { Operator } from './node.ts';
import { Tuple, computed, isList, itemsIn, getValueKind, numberIn, wholeIn } from './value.ts';
import type { Value } from './value.ts';

/** Applies an operator to two values as Python does; throws `CannotEvaluate` for an error or an inexact result. */
export function operated(left: Value, operator: Operator, right: Value): Value {
  const [a, b] = [numberIn(left), numberIn(right)];
  if (a !== undefined && b !== undefined) {
    const isFloat = wholeIn(left) === undefined || wholeIn(right) === undefined;
    return isBitwise(operator) ? bits(left, operator, right) : arithmetic(a, operator, b, isFloat);
  }
  if (operator === '+') return joined(left, right);
  if (operator === '*') return repeated(left, right);
  throw new CannotEvaluate(`${operator} does not go with ${getValueKind(left)} and ${getValueKind(right)}`);
}

/** A sign in front of a number. */
export function signed(sign: '+' | '-' | '~', value: Value): Value {
  const number = numberIn(value);
  if (number === undefined || (sign === '~' && wholeIn(value) === undefined))
    throw new CannotEvaluate(`${sign} does not go with ${getValueKind(value)}`);
  return computed(sign === '-' ? -number : sign === '+' ? number : -number - 1, wholeIn(value) === undefined);
}

const BITS = {
  '&': (one: bigint, other: bigint) => one & other,
  '|': (one: bigint, other: bigint) => one | other,
  '^': (one: bigint, other: bigint) => one ^ other,
  '<<': (one: bigint, other: bigint) => one << other,
  '>>': (one: bigint, other: bigint) => one >> other,
};
type Bitwise = keyof typeof BITS;

const isBitwise = (operator: Operator): operator is Bitwise => operator in BITS;

function arithmetic(a: number, operator: Exclude<Operator, Bitwise>, b: number, isFloat: boolean): Value {
  switch (operator) {
    case '+':
      return computed(a + b, isFloat);
    case '-':
      return computed(a - b, isFloat);
    case '*':
      return computed(a * b, isFloat);
    case '/':
      return computed(a / notZero(b), true);
    case '//':
      return computed(divided(a, notZero(b)).floor, isFloat);
    case '%':
      return computed(divided(a, notZero(b)).rest, isFloat);
    case '**':
      return computed(power(a, b), isFloat);
  }
}

function notZero(divisor: number): number {
  if (divisor === 0) throw new CannotEvaluate('something is divided by zero');
  return divisor;
}

/** The rest has the sign of the divisor, and the quotient goes with it. */
function divided(a: number, b: number): { readonly floor: number; readonly rest: number } {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) {
    rest += b;
    quotient -= 1;
  }
  const floor = Math.floor(quotient);
  return { floor: quotient - floor > 0.5 ? floor + 1 : floor, rest };
}

const MOST_EXPONENT = 64;

/** Only what comes out exactly: a whole number to the power of a whole number. */
function power(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b) || b < 0 || b > MOST_EXPONENT)
    throw new CannotEvaluate(`** takes a whole number and an exponent from 0 to ${MOST_EXPONENT}`);
  let result = 1;
  for (let time = 0; time < b; time += 1) {
    result *= a;
    if (!Number.isSafeInteger(result)) throw new CannotEvaluate('a whole number is beyond 2^53');
  }
  return result;
}

function bits(left: Value, operator: Bitwise, right: Value): Value {
  const [a, b] = [wholeIn(left), wholeIn(right)];
  if (a === undefined || b === undefined) throw new CannotEvaluate(`${operator} takes whole numbers`);
  if ((operator === '<<' || operator === '>>') && (b < 0 || b > MOST_EXPONENT))
    throw new CannotEvaluate(`${operator} takes from 0 to ${MOST_EXPONENT} places`);
  const result = BITS[operator](BigInt(a), BigInt(b));
  const isTruth = typeof left === 'boolean' && typeof right === 'boolean' && operator.length === 1;
  return isTruth ? result !== 0n : computed(Number(result), false);
}

const LONGEST_TEXT = 1_000_000;
const MOST_ITEMS = 10_000;

function joined(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length + right.length > LONGEST_TEXT) throw new CannotEvaluate('a text gets too long');
    return left + right;
  }
  const [ones, others] = [itemsIn(left), itemsIn(right)];
  if (ones === undefined || others === undefined || isList(left) !== isList(right))
    throw new CannotEvaluate(`+ does not go with ${getValueKind(left)} and ${getValueKind(right)}`);
  return sequence([...ones, ...others], isList(left));
}

function repeated(left: Value, right: Value): Value {
  const [what, often] = wholeIn(right) === undefined ? [right, left] : [left, right];
  const times = Math.max(0, wholeIn(often) ?? NaN);
  const items = itemsIn(what);
  const size = typeof what === 'string' ? what.length : items?.length;
  if (size === undefined || Number.isNaN(times))
    throw new CannotEvaluate(`* does not go with ${getValueKind(left)} and ${getValueKind(right)}`);
  if (size * times > MOST_ITEMS) throw new CannotEvaluate(`* repeats something more than ${MOST_ITEMS} long`);
  if (typeof what === 'string') return what.repeat(times);
  return sequence(Array.from({ length: size === 0 ? 0 : times }, () => items ?? []).flat(), isList(what));
}

function sequence(items: readonly Value[], isOfList: boolean): Value {
  if (items.length > MOST_ITEMS) throw new CannotEvaluate('a list gets too long');
  return isOfList ? items : new Tuple(items);
}
