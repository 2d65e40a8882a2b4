import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { Float } from './value.ts';
import type { Value } from './value.ts';

/**
 * Takes data over by copying it: null, truth values, finite numbers, texts, arrays and plain objects of these, at most
 * 10,000 values, 32 levels deep. Anything that could run or reach further (functions, getters, objects of a class) is
 * refused with one sentence.
 */
export function valueFrom(plain: unknown): Outcome<Value, string> {
  try {
    return success(copied(plain, { left: MOST_VALUES }, 0));
  } catch (error) {
    return failure(error instanceof NotPlain ? error.message : 'it cannot be read as plain data');
  }
}

const MOST_VALUES = 10_000;
const DEEPEST = 32;

class NotPlain extends Error {}

function copied(plain: unknown, count: { left: number }, depth: number): Value {
  count.left -= 1;
  if (count.left < 0) throw new NotPlain(`it holds more than ${MOST_VALUES} values`);
  if (depth > DEEPEST) throw new NotPlain(`it is more than ${DEEPEST} levels deep`);
  if (plain === null || typeof plain === 'boolean' || typeof plain === 'string') return plain;
  if (typeof plain === 'number') return numberFrom(plain);
  if (typeof plain !== 'object') throw new NotPlain(`it is a ${typeof plain}`);
  if (Array.isArray(plain))
    return Array.from({ length: lengthOf(plain) }, (_, at) => copied(own(plain, String(at)), count, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(plain);
  if (prototype !== null && prototype !== Object.prototype) throw new NotPlain('it is an object of a class');
  return new Map(Object.keys(plain).map((key) => [key, copied(own(plain, key), count, depth + 1)]));
}

function numberFrom(number: number): Value {
  if (!Number.isFinite(number)) throw new NotPlain(`it is ${number}`);
  if (!Number.isInteger(number)) return new Float(number);
  if (!Number.isSafeInteger(number)) throw new NotPlain('it is a whole number beyond 2^53');
  return number === 0 ? 0 : number;
}

function lengthOf(list: object): number {
  const length = own(list, 'length');
  if (typeof length !== 'number' || length > MOST_VALUES)
    throw new NotPlain(`it holds more than ${MOST_VALUES} values`);
  return length;
}

/** Reads a data property; a getter is never called. */
function own(object: object, key: string): unknown {
  const property = Object.getOwnPropertyDescriptor(object, key);
  if (property === undefined || !('value' in property)) throw new NotPlain('it has a property that is computed');
  return property.value as unknown;
}
