import { failure, success, type Outcome } from '../../base/outcome.ts';
import { Float, type Value } from './value.ts';

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
