/** The result of a fallible step: a value, or why it failed. Expected failures are values, never exceptions. */
export type Outcome<Value, Why> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly why: Why };

export const success = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value });

export const failure = <Why>(why: Why): { readonly ok: false; readonly why: Why } => ({ ok: false, why });
