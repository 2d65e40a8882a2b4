import { z } from 'zod';
import { lazy } from '../base/lazy.ts';

/** Methods of the relevance check; `offline` needs nothing, the others a model. */
export type RelevanceStrategy = 'offline' | 'embedding' | 'cross_encoder' | 'llm_judge';

/** Methods of the grounding check; each needs a model. */
export type GroundingStrategy = 'cross_encoder' | 'llm_judge';

/** What looking at an answer as a whole came to. `undecidedAnswer` is never a pass: nothing was shown, one way or the other. */
export interface AnswerCheck {
  readonly status: 'passed' | 'failed' | 'abstained';
  /** 0 to 1, on the scale of the thresholds; absent where nothing could be measured. */
  readonly score?: number;
  /** The reason, for the author of the answer. */
  readonly details: string;
  /** The answer says that it has none, and was not measured. */
  readonly bypass: boolean;
}

/** Holds a score against a threshold: what reaches it passes. */
export const checkThreshold = (score: number, threshold: number, details: string): AnswerCheck => ({
  status: score >= threshold ? 'passed' : 'failed',
  score: Math.round(score * 100) / 100,
  details,
  bypass: false,
});

/** The message without evidence. */
export const undecidedAnswer = (details: string): AnswerCheck => ({ status: 'abstained', details, bypass: false });

/** What a language model says of an answer as a whole: one of the words that it was asked to choose from. */
export const answerOpinionSchema = lazy(() =>
  z.strictObject({ verdict: z.string(), reason: z.string().min(1).max(2000) }),
);
