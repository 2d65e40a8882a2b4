import { CannotEvaluate } from './expression-fault.ts';

/** A number with a fraction by its kind, also where it has none: `2.0`, and every quotient. A plain number is a whole one. */
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

/** The value of a missing variable. */
export const UNKNOWN = Symbol('unknown');
export type MaybeValue = Value | typeof UNKNOWN;

/** A value as a number, where it is one; truth values count as 0 and 1. */
export function numberIn(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Float) return value.value;
  return typeof value === 'boolean' ? Number(value) : undefined;
}

/** A value as a whole number by its kind; undefined for every other, also for 2.0. */
export const wholeIn = (value: Value): number | undefined =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : undefined;

/** A number that was computed; one that cannot be told exactly is refused. */
export function computed(result: number, isFloat: boolean): number | Float {
  if (!Number.isFinite(result)) throw new CannotEvaluate('a number is too large');
  if (isFloat) return new Float(result);
  if (!Number.isSafeInteger(result)) throw new CannotEvaluate('a whole number is beyond 2^53');
  return result === 0 ? 0 : result; // never -0
}

/** The elements of a list or tuple. */
export const itemsIn = (value: Value): readonly Value[] | undefined =>
  value instanceof Tuple ? value.items : isList(value) ? value : undefined;

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Whether a value counts as true: nothing, zero and what is empty do not. */
export function isTrue(value: Value): boolean {
  if (value === null) return false;
  const number = numberIn(value);
  if (number !== undefined) return number !== 0;
  if (typeof value === 'string') return value !== '';
  const items = itemsIn(value);
  return items === undefined ? (value as ReadonlyMap<string, Value>).size > 0 : items.length > 0;
}

/** The kind of a value, for messages. */
export function getValueKind(value: Value): string {
  if (value === null) return 'None';
  if (numberIn(value) !== undefined) return typeof value === 'boolean' ? 'a truth value' : 'a number';
  if (typeof value === 'string') return 'a text';
  return itemsIn(value) === undefined ? 'a map' : 'a list';
}

/** A value as the trace shows it, in Python's spelling, cut. */
export function shown(value: MaybeValue): string {
  const text = spelled(value, 3);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

const LONGEST_SHOWN = 80;

function spelled(value: MaybeValue, depth: number): string {
  if (value === UNKNOWN) return 'unknown';
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  if (value instanceof Float) return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
  if (typeof value === 'string') return `'${value.slice(0, LONGEST_SHOWN + 1).replace(/[\r\n]+/g, ' ')}'`;
  if (depth === 0) return '…';
  const items = itemsIn(value);
  if (items !== undefined)
    return `[${items
      .slice(0, MOST_SHOWN)
      .map((item) => spelled(item, depth - 1))
      .join(', ')}${items.length > MOST_SHOWN ? ', …' : ''}]`;
  return `{${[...(value as ReadonlyMap<string, Value>).keys()].slice(0, MOST_SHOWN).join(', ')}}`;
}

const MOST_SHOWN = 10;
