/**
 * Work that is counted instead of timed, so that the same input always comes out the same: one step is one character
 * seen by an automaton, or one instruction of a pattern tried; some 20 ns.
 */
export class StepBudget {
  private left: number;

  constructor(steps: number = MOST_STEPS) {
    this.left = steps;
  }

  /** Notes work that was done; false once more was done than is allowed. */
  spend(steps: number): boolean {
    this.left -= steps;
    return this.left > 0;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** A share of what is left, at most `steps`, for one rule; what it spends is spent here as well. */
  share(steps: number): StepBudget {
    return new Share(this, Math.min(steps, this.left));
  }
}

class Share extends StepBudget {
  private readonly whole: StepBudget;

  constructor(whole: StepBudget, steps: number) {
    super(steps);
    this.whole = whole;
  }

  override spend(steps: number): boolean {
    this.whole.spend(steps);
    return super.spend(steps);
  }
}

/** All rules together on one subject: some 2 s. */
const MOST_STEPS = 100_000_000;
/** One rule: less than 1 s. */
export const MOST_STEPS_OF_ONE_RULE = 25_000_000;
