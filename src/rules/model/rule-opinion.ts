import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';

/** What a language model says about one rule. */
export const ruleOpinionSchema = lazy(() =>
  z.strictObject({
    status: z.enum(['PASS', 'VIOLATED', 'NOT_COVERED']),
    confidence: z.number().min(0).max(1),
    reason: z.string().min(1).max(2000),
  }),
);

/** The schema for the question, without bounds, which some providers refuse. */
export const RULE_OPINION_JSON_SCHEMA = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ruleOpinionSchema().shape.status.options,
      description:
        'VIOLATED: the text plans something that the rule forbids, or drops what it demands. PASS: the text keeps the rule. NOT_COVERED: the text says nothing about it.',
    },
    confidence: { type: 'number', description: 'From 0 to 1.' },
    reason: { type: 'string', description: 'One sentence that quotes what decided it.' },
  },
  required: ['status', 'confidence', 'reason'],
  additionalProperties: false,
} as const;

/** What a language model says of one response and one rule. */
export const judgeOpinionSchema = lazy(() =>
  z.strictObject({
    verdict: z.enum(['PASS', 'VIOLATED', 'UNDECIDED']),
    reason: z.string().max(2000),
    quote: z.string().max(2000),
  }),
);

/** The schema for the question, without bounds, which some providers refuse. */
export const JUDGE_OPINION_JSON_SCHEMA = {
  type: 'object',
  properties: {
    verdict: {
      type: 'string',
      enum: judgeOpinionSchema().shape.verdict.options,
      description:
        'PASS: the response complies with the rule. VIOLATED: it does not. UNDECIDED: what is there does not show it.',
    },
    reason: { type: 'string', description: 'One sentence.' },
    quote: {
      type: 'string',
      description:
        'For VIOLATED: the words of the response that decided it, copied exactly; where something is missing, the words where it should stand. Else empty.',
    },
  },
  required: ['verdict', 'reason', 'quote'],
  additionalProperties: false,
} as const;

/** Methods of the relevance check; `offline` needs nothing, the others a model. */
export type RelevanceStrategy = 'offline' | 'embedding' | 'cross_encoder' | 'llm_judge';

/** Methods of the grounding check; `offline` needs nothing, the others a model. */
export type GroundingStrategy = 'offline' | 'cross_encoder' | 'llm_judge';

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
