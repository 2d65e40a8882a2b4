/** Why an expression is refused before it is evaluated: it is no expression, asks for more than the language has, or is too large. */
export interface ExpressionFault {
  readonly kind: 'syntax' | 'unsupported' | 'limit';
  /** One sentence without a full stop. */
  readonly message: string;
  /** Where in the source, counted from 0. */
  readonly at: number;
  /** What to write instead, where that is known. */
  readonly remedy?: string;
}

/** Ends the reading of an expression; caught where it is compiled. */
export class Refused extends Error {
  readonly fault: ExpressionFault;

  constructor(kind: ExpressionFault['kind'], message: string, at: number, remedy?: string) {
    super(message);
    this.fault = { kind, message, at, ...(remedy === undefined ? {} : { remedy }) };
  }
}

/** Ends an evaluation: a value of the wrong kind, a division by zero, a result that is too large. */
export class CannotEvaluate extends Error {}

/** The work that one evaluation may do: 10,000 steps, each a part of the expression, an element, or a thousand characters. */
export class Steps {
  #left = 10_000;

  /** Notes work that is done; throws when it was too much. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CannotEvaluate('it takes more than 10,000 steps');
  }
}
