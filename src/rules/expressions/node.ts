import type { Value } from './value.ts';

/** The position of an expression in its source. */
export interface Place {
  readonly at: number;
  readonly end: number;
}

/** One piece of an expression. */
export type Token = Place &
  (
    | { readonly kind: 'number'; readonly value: number; readonly isFloat: boolean }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'name' | 'sign' | 'end'; readonly text: string }
  );

export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'is', 'is not'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const OPERATORS = ['+', '-', '*', '/', '//', '%', '**', '&', '|', '^', '<<', '>>'] as const;
export type Operator = (typeof OPERATORS)[number];

export type FunctionName = 'len' | 'abs' | 'min' | 'max' | 'lower';

/** A parsed expression. `set` occurs only after `in`, where its order is irrelevant. */
export type Node = Place &
  (
    | { readonly kind: 'literal'; readonly value: Value }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
    | { readonly kind: 'not'; readonly of: Node }
    | { readonly kind: 'sign'; readonly sign: '+' | '-' | '~'; readonly of: Node }
    | { readonly kind: 'compare'; readonly first: Node; readonly rest: readonly Compared[] }
    | { readonly kind: 'operate'; readonly operator: Operator; readonly left: Node; readonly right: Node }
    | { readonly kind: 'choose'; readonly when: Node; readonly chosen: Node; readonly otherwise: Node }
    | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Node[] }
    | { readonly kind: 'index'; readonly of: Node; readonly index: Node }
    | { readonly kind: 'call'; readonly name: FunctionName; readonly given: readonly Node[] }
  );

/** One step of a chain of comparisons, `a < b < c`. */
export interface Compared {
  readonly by: Comparison;
  readonly to: Node;
}
