import { compared } from './compare.ts';
import { CannotEvaluate, Steps } from './expression-fault.ts';
import { called } from './functions.ts';
import type { Compared, Comparison, Node } from './node.ts';
import { operated, signed } from './operate.ts';
import { Tuple, UNKNOWN, isList, isTrue, itemsIn, getValueKind, wholeIn } from './value.ts';
import type { MaybeValue, Value } from './value.ts';

/** True, false, or not to be told because a variable is not there. */
export type Truth = boolean | typeof UNKNOWN;

/** What an evaluation may ask: the variables, and where it notes which of them were not there. */
export class EvaluationScope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly missing = new Set<string>();
  readonly steps = new Steps();

  constructor(variables: ReadonlyMap<string, Value>) {
    this.variables = variables;
  }
}

/**
 * Whether an expression holds, in three values: what is unknown may still be decided by the other side of an `and` or
 * an `or`. A variable that is there and null is unknown too, except in a comparison with None.
 */
export function truthOf(node: Node, scope: EvaluationScope): Truth {
  switch (node.kind) {
    case 'and':
    case 'or':
      return joint(node.parts, node.kind === 'or', scope);
    case 'not': {
      const truth = truthOf(node.of, scope);
      return truth === UNKNOWN ? UNKNOWN : !truth;
    }
    case 'compare':
      return chain(node.first, node.rest, scope);
    case 'choose': {
      const when = truthOf(node.when, scope);
      return when === UNKNOWN ? UNKNOWN : truthOf(when ? node.chosen : node.otherwise, scope);
    }
    case 'literal':
    case 'name':
    case 'sign':
    case 'operate':
    case 'index':
    case 'call':
    case 'list':
    case 'tuple':
    case 'set': {
      const value = valueOf(node, scope);
      return value === UNKNOWN ? UNKNOWN : isTrue(value);
    }
  }
}

/** The value of a part of an expression; `and` and `or` give back the part that decided, as in Python. */
export function valueOf(node: Node, scope: EvaluationScope): MaybeValue {
  scope.steps.spend(1);
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'name':
      return scope.variables.get(node.name) ?? noted(node.name, scope);
    case 'and':
    case 'or':
      return deciding(node.parts, node.kind === 'or', scope);
    case 'not':
    case 'compare':
      return truthOf(node, scope);
    case 'choose': {
      const when = truthOf(node.when, scope);
      return when === UNKNOWN ? UNKNOWN : valueOf(when ? node.chosen : node.otherwise, scope);
    }
    case 'sign': {
      const of = valueOf(node.of, scope);
      return of === UNKNOWN ? UNKNOWN : signed(node.sign, of);
    }
    case 'operate': {
      const left = valueOf(node.left, scope);
      const right = valueOf(node.right, scope);
      return left === UNKNOWN || right === UNKNOWN ? UNKNOWN : operated(left, node.operator, right);
    }
    case 'index': {
      const of = valueOf(node.of, scope);
      const index = valueOf(node.index, scope);
      return of === UNKNOWN || index === UNKNOWN ? UNKNOWN : elementOf(of, index);
    }
    case 'call': {
      const given = valuesOf(node.given, scope);
      return given === undefined ? UNKNOWN : called(node.name, given, scope.steps);
    }
    case 'list':
    case 'tuple':
    case 'set': {
      const items = valuesOf(node.items, scope);
      if (items === undefined) return UNKNOWN;
      if (node.kind === 'set' && items.some((item) => itemsIn(item) !== undefined || item instanceof Map))
        throw new CannotEvaluate('a set holds no lists');
      return node.kind === 'list' ? items : new Tuple(items);
    }
  }
}

function joint(parts: readonly Node[], isOr: boolean, scope: EvaluationScope): Truth {
  let isOpen = false;
  for (const part of parts) {
    const truth = truthOf(part, scope);
    if (truth === isOr) return isOr;
    if (truth === UNKNOWN) isOpen = true;
  }
  return isOpen ? UNKNOWN : !isOr;
}

function deciding(parts: readonly Node[], isOr: boolean, scope: EvaluationScope): MaybeValue {
  let value: MaybeValue = UNKNOWN;
  for (const part of parts) {
    value = valueOf(part, scope);
    if (value === UNKNOWN || isTrue(value) === isOr) return value;
  }
  return value;
}

/** `a < b < c` is `a < b and b < c`, without going on after what is false. */
function chain(first: Node, rest: readonly Compared[], scope: EvaluationScope): Truth {
  let isOpen = false;
  let left = first;
  for (const { by, to } of rest) {
    const isSame = once(left, by, to, scope);
    if (isSame === false) return false;
    if (isSame === UNKNOWN) isOpen = true;
    left = to;
  }
  return isOpen ? UNKNOWN : true;
}

/** One comparison; null answers a comparison with None. */
function once(left: Node, by: Comparison, right: Node, scope: EvaluationScope): Truth {
  const asksForNone = (isNone(left) || isNone(right)) && ['is', 'is not', '==', '!='].includes(by);
  const one = asksForNone ? givenOf(left, scope) : valueOf(left, scope);
  const other = asksForNone ? givenOf(right, scope) : valueOf(right, scope);
  if (one === UNKNOWN || other === UNKNOWN) return UNKNOWN;
  if (right.kind === 'set' && (isList(one) || one instanceof Map))
    throw new CannotEvaluate(`${getValueKind(one)} is in no set`);
  return compared(one, by, other, scope.steps);
}

const isNone = (node: Node): boolean => node.kind === 'literal' && node.value === null;

const givenOf = (node: Node, scope: EvaluationScope): MaybeValue =>
  node.kind === 'name' && scope.variables.has(node.name)
    ? (scope.variables.get(node.name) ?? null)
    : valueOf(node, scope);

function noted(name: string, scope: EvaluationScope): typeof UNKNOWN {
  scope.missing.add(name);
  return UNKNOWN;
}

function valuesOf(nodes: readonly Node[], scope: EvaluationScope): readonly Value[] | undefined {
  const values = nodes.map((node) => valueOf(node, scope));
  return values.every((value) => value !== UNKNOWN) ? values : undefined;
}

function elementOf(of: Value, index: Value): Value {
  if (of instanceof Map) {
    const found = typeof index === 'string' ? of.get(index) : undefined;
    if (found === undefined) throw new CannotEvaluate('a map has no such key');
    return found;
  }
  const at = wholeIn(index);
  const items = typeof of === 'string' ? Array.from(of.slice(0, LONGEST_INDEXED)) : itemsIn(of);
  if (items === undefined || at === undefined)
    throw new CannotEvaluate(`${getValueKind(of)} has no element ${getValueKind(index)}`);
  if (typeof of === 'string' && of.length > LONGEST_INDEXED)
    throw new CannotEvaluate('the text is too long to be counted through');
  const found = items.at(at);
  if (found === undefined || at < -items.length) throw new CannotEvaluate('a list has no such element');
  return found;
}

const LONGEST_INDEXED = 10_000;
