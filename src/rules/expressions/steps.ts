import { CannotEvaluate } from './expression-fault.ts';

/** The work that one evaluation may do: 10,000 steps, each a part of the expression, an element, or a thousand characters. */
export class Steps {
  #left = 10_000;

  /** Notes work that is done; throws when it was too much. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CannotEvaluate('it takes more than 10,000 steps');
  }
}
