import { orderOf } from './compare.ts';
import { CannotEvaluate } from './expression-fault.ts';
import type { Steps } from './expression-fault.ts';
import type { FunctionName } from './node.ts';
import { computed, itemsIn, getValueKind, numberIn, wholeIn } from './value.ts';
import type { Value } from './value.ts';

/** One of the five functions, on values that are there; throws `CannotEvaluate` for others than it takes. */
export function called(name: FunctionName, given: readonly Value[], steps: Steps): Value {
  if (name === 'min' || name === 'max') return furthest(name, given, steps);
  const [value] = given;
  if (value === undefined || given.length !== 1) throw new CannotEvaluate(`${name} takes one value`);
  if (name === 'len') return lengthOf(value, steps);
  if (name === 'lower') return typeof value === 'string' ? value.toLowerCase() : value;
  const number = numberIn(value);
  if (number === undefined) throw new CannotEvaluate(`abs takes a number, not ${getValueKind(value)}`);
  return computed(Math.abs(number), wholeIn(value) === undefined);
}

/** The length of a text is counted in characters, not in the units they are stored in. */
function lengthOf(value: Value, steps: Steps): number {
  if (typeof value === 'string') {
    steps.spend(value.length / 1000);
    let length = value.length;
    for (let at = 0; at < value.length - 1; at += 1)
      if ((value.charCodeAt(at) & 0xfc00) === 0xd800 && (value.charCodeAt(at + 1) & 0xfc00) === 0xdc00) length -= 1;
    return length;
  }
  const items = itemsIn(value);
  if (items !== undefined) return items.length;
  if (value instanceof Map) return value.size;
  throw new CannotEvaluate(`len takes a text, a list or a map, not ${getValueKind(value)}`);
}

function furthest(name: 'min' | 'max', given: readonly Value[], steps: Steps): Value {
  const [first] = given;
  const of = given.length === 1 && first !== undefined ? itemsIn(first) : given;
  if (of === undefined) throw new CannotEvaluate(`${name} takes several values or a list`);
  const [start, ...more] = of;
  if (start === undefined) throw new CannotEvaluate(`${name} of nothing`);
  steps.spend(of.length);
  let best = start;
  for (const value of more) {
    const order = orderOf(value, best, steps);
    if (name === 'min' ? order < 0 : order > 0) best = value;
  }
  return best;
}
