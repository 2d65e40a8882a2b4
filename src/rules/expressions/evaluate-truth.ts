import { compareBytes } from '../../base/byte-order.ts';
import type { Comparison, ExpressionNode, FunctionName, Operator } from './parse-expression.ts';
import {
  CannotEvaluate,
  Tuple,
  UNKNOWN,
  getItems,
  getNumber,
  getValueKind,
  getWhole,
  isTrue,
  makeNumber,
  type EvaluationScope,
  type MaybeValue,
  type Value,
} from './value.ts';

/**
 * Whether an expression holds, in three values: the other side of an `and` or an `or` may still decide what is unknown.
 * A variable that is there and null is unknown too, except in a comparison with None.
 */
export function evaluateTruth(node: ExpressionNode, scope: EvaluationScope): boolean | typeof UNKNOWN {
  const value = evaluateNode(node, scope, true);
  return value === UNKNOWN ? UNKNOWN : isTrue(value);
}

/** The value of a part of an expression; `and` and `or` return the part that decided, as in Python. */
function evaluateNode(node: ExpressionNode, scope: EvaluationScope, asTruth = false): MaybeValue {
  scope.spend(1);
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name': {
      const value = scope.variables.get(node.name) ?? UNKNOWN;
      if (value === UNKNOWN) scope.missing.add(node.name);
      return value;
    }
    case 'and':
    case 'or': {
      let value: MaybeValue = UNKNOWN;
      let isOpen = false;
      for (const part of node.parts) {
        value = evaluateNode(part, scope, asTruth);
        if (value !== UNKNOWN && isTrue(value) === (node.kind === 'or')) return value;
        if (value === UNKNOWN && !asTruth) return UNKNOWN;
        isOpen ||= value === UNKNOWN;
      }
      return isOpen ? UNKNOWN : value;
    }
    case 'not': {
      const truth = evaluateTruth(node.parts[0], scope);
      return truth === UNKNOWN ? UNKNOWN : !truth;
    }
    case 'compare': {
      // `a < b < c` is `a < b and b < c`, and ends at the first comparison that is false.
      let isOpen = false;
      for (const [at, by] of node.by.entries()) {
        const truth = compareNodes(node.parts[at]!, by, node.parts[at + 1]!, scope);
        if (truth === false) return false;
        isOpen ||= truth === UNKNOWN;
      }
      return isOpen ? UNKNOWN : true;
    }
    case 'choose': {
      const [chosen, when, otherwise] = node.parts;
      const truth = evaluateTruth(when, scope);
      return truth === UNKNOWN ? UNKNOWN : evaluateNode(truth ? chosen : otherwise, scope, asTruth);
    }
    case 'sign':
    case 'operate':
    case 'call':
    case 'index':
    case 'list':
    case 'tuple':
    case 'set': {
      const values = node.parts.map((part) => evaluateNode(part, scope));
      return values.every((value) => value !== UNKNOWN) ? combineValues(node, values, scope) : UNKNOWN;
    }
  }
}

type Combination = Exclude<
  ExpressionNode,
  { readonly kind: 'literal' | 'name' | 'and' | 'or' | 'not' | 'compare' | 'choose' }
>;

function combineValues(node: Combination, values: readonly Value[], scope: EvaluationScope): Value {
  const [first = null, second = null] = values;
  switch (node.kind) {
    case 'sign':
      return applySign(node.sign, first);
    case 'operate':
      return applyOperator(first, node.operator, second);
    case 'call':
      return callFunction(node.name, values, scope);
    case 'index':
      return getElement(first, second, scope);
    case 'list':
      return values;
    case 'tuple':
      return new Tuple(values);
    case 'set':
      if (values.some(isCollection)) throw new CannotEvaluate('a set holds no lists');
      return new Tuple(values);
  }
}

const isCollection = (value: Value): boolean => getItems(value) !== undefined || value instanceof Map;

/** One comparison; only None itself can be compared with a variable that is null. */
function compareNodes(
  left: ExpressionNode,
  by: Comparison,
  right: ExpressionNode,
  scope: EvaluationScope,
): boolean | typeof UNKNOWN {
  const isForNone = (isNone(left) || isNone(right)) && ['is', 'is not', '==', '!='].includes(by);
  const [one, other] = [left, right].map((node) =>
    isForNone && node.kind === 'name' && scope.variables.get(node.name) === null ? null : evaluateNode(node, scope),
  );
  if (one === undefined || other === undefined || one === UNKNOWN || other === UNKNOWN) return UNKNOWN;
  if (right.kind === 'set' && (Array.isArray(one) || one instanceof Map))
    throw new CannotEvaluate(`${getValueKind(one)} is in no set`);
  return compareValues(one, by, other, scope);
}

const isNone = (node: ExpressionNode): boolean => node.kind === 'literal' && node.value === null;

function compareValues(left: Value, by: Comparison, right: Value, scope: EvaluationScope): boolean {
  if (by === 'is' || by === 'is not') return (left === right) === (by === 'is');
  if (by === 'in' || by === 'not in') return isIn(left, right, scope) === (by === 'in');
  if (by === '==' || by === '!=') return isEqual(left, right, scope) === (by === '==');
  const order = orderValues(left, right, scope);
  return (by.endsWith('=') && order === 0) || (by.startsWith('<') ? order < 0 : order > 0);
}

/** Equality of Python: 1, 1.0 and True are equal, a list and a tuple never. */
function isEqual(left: Value, right: Value, scope: EvaluationScope): boolean {
  scope.spend(1);
  const [a, b] = [getNumber(left), getNumber(right)];
  if (a !== undefined || b !== undefined) return a === b;
  if (left instanceof Map && right instanceof Map)
    return (
      left.size === right.size &&
      [...left].every(([key, value]) => right.has(key) && isEqual(value, right.get(key) ?? null, scope))
    );
  const [ones, others] = [getItems(left), getItems(right)];
  if (ones === undefined || others === undefined) return left === right;
  return (
    left instanceof Tuple === right instanceof Tuple &&
    ones.length === others.length &&
    ones.every((one, at) => isEqual(one, others[at] ?? null, scope))
  );
}

function isIn(item: Value, container: Value, scope: EvaluationScope): boolean {
  const items = getItems(container);
  if (items !== undefined) return items.some((one) => isEqual(one, item, scope));
  if (typeof container === 'string') {
    if (typeof item !== 'string')
      throw new CannotEvaluate(`in looks for a text in a text, not for ${getValueKind(item)}`);
    scope.spend(container.length / CHARACTERS_PER_STEP);
    return container.includes(item);
  }
  if (!(container instanceof Map))
    throw new CannotEvaluate(`in looks into a list, a text or a map, not ${getValueKind(container)}`);
  if (isCollection(item)) throw new CannotEvaluate(`${getValueKind(item)} is no key of a map`);
  return typeof item === 'string' && container.has(item);
}

/** Negative, 0 or positive, for numbers and for texts by their code points. */
function orderValues(left: Value, right: Value, scope: EvaluationScope): number {
  const [a, b] = [getNumber(left), getNumber(right)];
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof left !== 'string' || typeof right !== 'string')
    throw new CannotEvaluate(`${getValueKind(left)} and ${getValueKind(right)} have no order`);
  scope.spend(Math.min(left.length, right.length) / CHARACTERS_PER_STEP);
  return compareBytes(left, right);
}

const CHARACTERS_PER_STEP = 1000;

function callFunction(name: FunctionName, given: readonly Value[], scope: EvaluationScope): Value {
  if (name === 'min' || name === 'max') return findExtreme(name, given, scope);
  const [value] = given;
  if (value === undefined || given.length !== 1) throw new CannotEvaluate(`${name} takes one value`);
  if (name === 'len') return getLength(value, scope);
  if (name === 'lower') return typeof value === 'string' ? value.toLowerCase() : value;
  const number = getNumber(value);
  if (number === undefined) throw new CannotEvaluate(`abs takes a number, not ${getValueKind(value)}`);
  return makeNumber(Math.abs(number), getWhole(value) === undefined);
}

function findExtreme(name: 'min' | 'max', given: readonly Value[], scope: EvaluationScope): Value {
  const [first = null] = given;
  const values = given.length === 1 ? getItems(first) : given;
  if (values === undefined) throw new CannotEvaluate(`${name} takes several values or a list`);
  const [start, ...rest] = values;
  if (start === undefined) throw new CannotEvaluate(`${name} of nothing`);
  scope.spend(values.length);
  return rest.reduce((best, value) => {
    const order = orderValues(value, best, scope);
    return (name === 'min' ? order < 0 : order > 0) ? value : best;
  }, start);
}

/** A text is as long as it has characters; pairs of surrogates count once. */
function getLength(value: Value, scope: EvaluationScope): number {
  if (typeof value === 'string') {
    scope.spend(value.length / CHARACTERS_PER_STEP);
    return value.length - (value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
  }
  const length = value instanceof Map ? value.size : getItems(value)?.length;
  if (length === undefined) throw new CannotEvaluate(`len takes a text, a list or a map, not ${getValueKind(value)}`);
  return length;
}

function getElement(container: Value, index: Value, scope: EvaluationScope): Value {
  if (container instanceof Map) {
    const found: Value | undefined = typeof index === 'string' ? container.get(index) : undefined;
    if (found === undefined) throw new CannotEvaluate('a map has no such key');
    return found;
  }
  if (typeof container === 'string') scope.spend(container.length); // its characters are counted one by one
  const items = typeof container === 'string' ? Array.from(container) : getItems(container);
  const at = getWhole(index);
  if (items === undefined || at === undefined)
    throw new CannotEvaluate(`${getValueKind(container)} has no element ${getValueKind(index)}`);
  const found = at < -items.length ? undefined : items.at(at);
  if (found === undefined) throw new CannotEvaluate('a list has no such element');
  return found;
}

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
function applyOperator(left: Value, operator: Operator, right: Value): Value {
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

function applySign(sign: '+' | '-' | '~', value: Value): Value {
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
