/** How relevance may be looked at; `offline` needs nothing, the others a model. */
export const RELEVANCE_STRATEGIES = ['offline', 'embedding', 'cross_encoder', 'llm_judge'] as const;
export type RelevanceStrategy = (typeof RELEVANCE_STRATEGIES)[number];

/** How grounding may be looked at. */
export const GROUNDING_STRATEGIES = ['offline', 'cross_encoder', 'llm_judge'] as const;
export type GroundingStrategy = (typeof GROUNDING_STRATEGIES)[number];

/** What looking at an answer as a whole came to. `abstained` is never a pass: nothing was shown, one way or the other. */
export interface AnswerCheck {
  readonly status: 'passed' | 'failed' | 'abstained';
  /** 0 to 1, on the scale of the thresholds; absent where nothing could be measured. */
  readonly score?: number;
  /** Why, in words for whoever gave the answer. */
  readonly details: string;
  /** The answer says that there is none, and was not measured. */
  readonly bypass: boolean;
}

/** Holds a score against a threshold: what reaches it passes. */
export const held = (score: number, threshold: number, details: string): AnswerCheck => ({
  status: score >= threshold ? 'passed' : 'failed',
  score: Math.round(score * 100) / 100,
  details,
  bypass: false,
});

/** What is said where nothing could be shown. */
export const abstained = (details: string): AnswerCheck => ({ status: 'abstained', details, bypass: false });
