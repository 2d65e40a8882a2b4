import { CannotEvaluate } from './expression-fault.ts';
import type { Steps } from './expression-fault.ts';
import type { Comparison } from './node.ts';
import { Tuple, itemsIn, getValueKind, numberIn } from './value.ts';
import type { Value } from './value.ts';

/** One comparison of two values that are there; throws `CannotEvaluate` where they cannot be compared. */
export function compared(left: Value, by: Comparison, right: Value, steps: Steps): boolean {
  switch (by) {
    case '==':
      return isEqual(left, right, steps);
    case '!=':
      return !isEqual(left, right, steps);
    case 'is':
      return left === right;
    case 'is not':
      return left !== right;
    case 'in':
      return holds(right, left, steps);
    case 'not in':
      return !holds(right, left, steps);
    case '<':
      return orderOf(left, right, steps) < 0;
    case '<=':
      return orderOf(left, right, steps) <= 0;
    case '>':
      return orderOf(left, right, steps) > 0;
    case '>=':
      return orderOf(left, right, steps) >= 0;
  }
}

/** Equality as Python has it: 1, 1.0 and True are one, a list and a tuple never. */
export function isEqual(left: Value, right: Value, steps: Steps): boolean {
  steps.spend(1);
  const [a, b] = [numberIn(left), numberIn(right)];
  if (a !== undefined || b !== undefined) return a === b;
  if (left === null || right === null || typeof left === 'string' || typeof right === 'string') return left === right;
  if (left instanceof Tuple !== right instanceof Tuple) return false;
  const [ones, others] = [itemsIn(left), itemsIn(right)];
  if (ones !== undefined || others !== undefined)
    return (
      ones !== undefined &&
      others !== undefined &&
      ones.length === others.length &&
      ones.every((one, at) => isEqual(one, others[at] ?? null, steps))
    );
  return sameMaps(left as ReadonlyMap<string, Value>, right as ReadonlyMap<string, Value>, steps);
}

const sameMaps = (left: ReadonlyMap<string, Value>, right: ReadonlyMap<string, Value>, steps: Steps): boolean =>
  left.size === right.size &&
  [...left].every(([key, value]) => right.has(key) && isEqual(value, right.get(key) ?? null, steps));

function holds(container: Value, item: Value, steps: Steps): boolean {
  const items = itemsIn(container);
  if (items !== undefined) return items.some((one) => isEqual(one, item, steps));
  if (typeof container === 'string') {
    if (typeof item !== 'string')
      throw new CannotEvaluate(`in looks for a text in a text, not for ${getValueKind(item)}`);
    steps.spend(container.length / CHARACTERS_PER_STEP);
    return container.includes(item);
  }
  if (!(container instanceof Map))
    throw new CannotEvaluate(`in looks into a list, a text or a map, not ${getValueKind(container)}`);
  if (itemsIn(item) !== undefined || item instanceof Map)
    throw new CannotEvaluate(`${getValueKind(item)} is no key of a map`);
  return typeof item === 'string' && container.has(item);
}

/** Less than, equal to or more than 0, as a sort wants it; texts go by their characters' numbers. */
export function orderOf(left: Value, right: Value, steps: Steps): number {
  const [a, b] = [numberIn(left), numberIn(right)];
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') {
    steps.spend(Math.min(left.length, right.length) / CHARACTERS_PER_STEP);
    return textOrder(left, right);
  }
  throw new CannotEvaluate(`${getValueKind(left)} and ${getValueKind(right)} have no order`);
}

function textOrder(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  // Units that differ in the second half of a pair belong to characters that begin before it.
  if (at > 0 && (left.charCodeAt(at) & 0xfc00) === 0xdc00 && (right.charCodeAt(at) & 0xfc00) === 0xdc00) at -= 1;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/** Plain text goes by so much quicker than a value. */
const CHARACTERS_PER_STEP = 1000;
