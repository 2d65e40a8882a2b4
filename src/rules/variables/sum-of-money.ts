/** A sum of money in a text; `value` is negative where a minus stands right before it. */
export interface Money {
  readonly value: number;
  /** By its code (USD); a dollar sign alone is taken for USD. */
  readonly currency: string;
  readonly start: number;
  readonly end: number;
}
