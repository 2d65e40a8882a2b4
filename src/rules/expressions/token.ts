/** One piece of an expression; `at` and `end` are its place in the source. */
export type Token =
  | {
      readonly kind: 'number';
      readonly value: number;
      readonly isFloat: boolean;
      readonly at: number;
      readonly end: number;
    }
  | { readonly kind: 'string'; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: 'name' | 'sign' | 'end'; readonly text: string; readonly at: number; readonly end: number };
