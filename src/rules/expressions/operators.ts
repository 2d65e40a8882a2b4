import type { Operator } from './parse.ts';
import { CannotEvaluate, Tuple, getItems, getNumber, getValueKind, getWhole, makeNumber, type Value } from './value.ts';

const ARITHMETIC = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / requireDivisor(b),
  '//': (a: number, b: number) => divideDown(a, requireDivisor(b)).quotient,
  '%': (a: number, b: number) => divideDown(a, requireDivisor(b)).remainder,
  '**': raiseToPower,
};
const BITS = {
  '&': (a: bigint, b: bigint) => a & b,
  '|': (a: bigint, b: bigint) => a | b,
  '^': (a: bigint, b: bigint) => a ^ b,
  '<<': (a: bigint, b: bigint) => a << b,
  '>>': (a: bigint, b: bigint) => a >> b,
};
const LONGEST_TEXT = 1_000_000;
const MOST_ITEMS = 10_000;
const MOST_EXPONENT = 64;

/** Applies an operator to numbers, or joins two texts or lists; throws `CannotEvaluate` where Python fails or the result is not exact. */
export function applyOperator(left: Value, operator: Operator, right: Value): Value {
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    if (left.length + right.length > LONGEST_TEXT) throw new CannotEvaluate('a text gets too long');
    return left + right;
  }
  const [ones, others] = [getItems(left), getItems(right)];
  if (operator === '+' && ones !== undefined && others !== undefined && Array.isArray(left) === Array.isArray(right)) {
    if (ones.length + others.length > MOST_ITEMS) throw new CannotEvaluate('a list gets too long');
    return Array.isArray(left) ? [...ones, ...others] : new Tuple([...ones, ...others]);
  }
  const [a, b] = [getNumber(left), getNumber(right)];
  if (a === undefined || b === undefined)
    throw new CannotEvaluate(`${operator} does not go with ${getValueKind(left)} and ${getValueKind(right)}`);
  const isFloat = getWhole(left) === undefined || getWhole(right) === undefined;
  if (operator in ARITHMETIC)
    return makeNumber(ARITHMETIC[operator as keyof typeof ARITHMETIC](a, b), isFloat || operator === '/');
  if (isFloat) throw new CannotEvaluate(`${operator} takes whole numbers`);
  if (operator.length === 2 && (b < 0 || b > MOST_EXPONENT))
    throw new CannotEvaluate(`${operator} takes from 0 to ${MOST_EXPONENT} places`);
  const result = BITS[operator as keyof typeof BITS](BigInt(a), BigInt(b));
  const isTruth = typeof left === 'boolean' && typeof right === 'boolean' && operator.length === 1;
  return isTruth ? result !== 0n : makeNumber(Number(result), false);
}

export function applySign(sign: '+' | '-' | '~', value: Value): Value {
  const number = getNumber(value);
  const isFloat = getWhole(value) === undefined;
  if (number === undefined || (sign === '~' && isFloat))
    throw new CannotEvaluate(`${sign} does not go with ${getValueKind(value)}`);
  return makeNumber(sign === '-' ? -number : sign === '+' ? number : -number - 1, isFloat);
}

function requireDivisor(divisor: number): number {
  if (divisor === 0) throw new CannotEvaluate('something is divided by zero');
  return divisor;
}

/** The division of Python: the remainder has the sign of the divisor. */
function divideDown(a: number, b: number): { readonly quotient: number; readonly remainder: number } {
  const rest = a % b;
  const isBelow = rest !== 0 && rest < 0 !== b < 0;
  const exact = (a - rest) / b - (isBelow ? 1 : 0);
  const floor = Math.floor(exact);
  return { quotient: exact - floor > 0.5 ? floor + 1 : floor, remainder: isBelow ? rest + b : rest };
}

/** Only an exact result: a whole number to the power of a whole number. */
function raiseToPower(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b) || b < 0 || b > MOST_EXPONENT)
    throw new CannotEvaluate(`** takes a whole number and an exponent from 0 to ${MOST_EXPONENT}`);
  const result = BigInt(a) ** BigInt(b);
  return makeNumber(Number(result), false) as number;
}
