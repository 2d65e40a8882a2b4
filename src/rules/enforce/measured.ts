import type { MatchPlace, RuleFinding } from '../../rule-model/inspection.ts';

/** A place where something may have been measured that is above its bound. */
export interface MeasuredPlace extends MatchPlace {
  /** The number is part of what the place is known by: one that has grown is another. */
  readonly measured?: number;
}

/** A finding with what a baseline tells it by. */
export interface MatchedFinding extends RuleFinding {
  /** Never printed, like the text that it is made of. */
  readonly matched?: {
    /** The print of its text, which findings with equal texts share; of what is measured without the number. */
    readonly print: string;
    /** Which of those it is, from 0, among all that were looked at. */
    readonly number: number;
    readonly measured?: number;
  };
}
