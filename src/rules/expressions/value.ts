import { failure, success, type Outcome } from '../../base/outcome.ts';

/** Stops an evaluation: a value of the wrong kind, a division by zero, a result that is too large. */
export class CannotEvaluate extends Error {}

/** A float of Python, also one without a fraction, such as `2.0` and every quotient. A plain number is an integer. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Values in round brackets; never equal to a list. */
export class Tuple {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

/** Everything that an expression can compute with. Objects are maps, so that no inherited name can be reached. */
export type Value = null | boolean | number | Float | string | readonly Value[] | Tuple | ReadonlyMap<string, Value>;

export const UNKNOWN = Symbol('unknown');
export type MaybeValue = Value | typeof UNKNOWN;

/** A value as a number, if it is one; truth values count as 0 and 1. */
export const getNumber = (value: Value): number | undefined => (value instanceof Float ? value.value : getWhole(value));

/** A value as an integer; undefined for every float, also for 2.0. */
export const getWhole = (value: Value): number | undefined =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : undefined;

/** A computed number; one that is not exact is refused. */
export function makeNumber(result: number, isFloat: boolean): number | Float {
  if (!Number.isFinite(result)) throw new CannotEvaluate('a number is too large');
  if (isFloat) return new Float(result);
  if (!Number.isSafeInteger(result)) throw new CannotEvaluate('a whole number is beyond 2^53');
  return result === 0 ? 0 : result; // never -0
}

export const getItems = (value: Value): readonly Value[] | undefined =>
  value instanceof Tuple ? value.items : isList(value) ? value : undefined;

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The truth of a value: None, zero and everything empty are false. */
export const isTrue = (value: Value): boolean =>
  value instanceof Map ? value.size > 0 : Boolean(getItems(value)?.length ?? getNumber(value) ?? value);

export function getValueKind(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return 'a truth value';
  if (getNumber(value) !== undefined) return 'a number';
  if (typeof value === 'string') return 'a text';
  return value instanceof Map ? 'a map' : 'a list';
}

/** A value as the trace shows it, in Python's spelling, shortened. */
export function showValue(value: MaybeValue): string {
  const text = spellValue(value, 3);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

const LONGEST_SHOWN = 80;
const MOST_SHOWN = 10;

function spellValue(value: MaybeValue, depth: number): string {
  if (value === UNKNOWN) return 'unknown';
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (value instanceof Float) return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
  if (typeof value === 'string') return `'${value.slice(0, LONGEST_SHOWN + 1).replace(/[\r\n]+/g, ' ')}'`;
  if (depth === 0) return '…';
  if (value instanceof Map) return `{${[...value.keys()].slice(0, MOST_SHOWN).join(', ')}}`;
  const items = getItems(value) ?? [];
  const shown = items.slice(0, MOST_SHOWN).map((item) => spellValue(item, depth - 1));
  return `[${shown.join(', ')}${items.length > MOST_SHOWN ? ', …' : ''}]`;
}

/** The work of one evaluation: the variables, the names that were missing, and the steps that are left. */
export class EvaluationScope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly missing = new Set<string>();
  #stepsLeft = 10_000;

  constructor(variables: ReadonlyMap<string, Value>) {
    this.variables = variables;
  }

  /** Counts a part of the expression, an element, or a thousand characters as one step. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new CannotEvaluate('it takes more than 10,000 steps');
  }
}

const MOST_VALUES = 10_000;
const DEEPEST = 32;

class NotPlain extends Error {}

/**
 * Copies JSON data of at most 10,000 values and 32 levels. Anything that could run or reach further (functions, getters,
 * objects of a class) is refused with one sentence.
 */
export function valueFrom(plain: unknown): Outcome<Value, string> {
  let left = MOST_VALUES;
  const copy = (value: unknown, depth: number): Value => {
    left -= 1;
    if (left < 0) throw new NotPlain(`it holds more than ${MOST_VALUES} values`);
    if (depth > DEEPEST) throw new NotPlain(`it is more than ${DEEPEST} levels deep`);
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number') return copyNumber(value);
    if (typeof value !== 'object') throw new NotPlain(`it is a ${typeof value}`);
    if (Array.isArray(value)) {
      if (value.length > MOST_VALUES) throw new NotPlain(`it holds more than ${MOST_VALUES} values`);
      return Array.from({ length: value.length }, (_, at) => copy(readProperty(value, String(at)), depth + 1));
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw new NotPlain('it is an object of a class');
    return new Map(Object.keys(value).map((key) => [key, copy(readProperty(value, key), depth + 1)]));
  };
  try {
    return success(copy(plain, 0));
  } catch (error) {
    return failure(error instanceof NotPlain ? error.message : 'it cannot be read as plain data');
  }
}

function copyNumber(number: number): Value {
  if (!Number.isFinite(number)) throw new NotPlain(`it is ${number}`);
  if (!Number.isInteger(number)) return new Float(number);
  if (!Number.isSafeInteger(number)) throw new NotPlain('it is a whole number beyond 2^53');
  return number === 0 ? 0 : number;
}

/** Reads a data property; a getter is never called. */
function readProperty(object: object, key: string): unknown {
  const property = Object.getOwnPropertyDescriptor(object, key);
  if (property === undefined || !('value' in property)) throw new NotPlain('it has a property that is computed');
  return property.value as unknown;
}
