import { z } from 'zod';
import { closedObject } from '../../base/shape.ts';

export const ruleOpinionSchema = closedObject(() => ({
  status: z
    .enum(['PASS', 'VIOLATED', 'NOT_COVERED'])
    .describe(
      'VIOLATED: the text plans something that the rule forbids, or drops what it demands. PASS: the text keeps the rule. NOT_COVERED: the text says nothing about it.',
    ),
  confidence: z.number().min(0).max(1).describe('From 0 to 1.'),
  reason: z.string().min(1).max(2000).describe('One sentence that quotes what decided it.'),
}));

/** What a language model says of one response and one rule. */
export const judgeOpinionSchema = closedObject(() => ({
  verdict: z
    .enum(['PASS', 'VIOLATED', 'UNDECIDED'])
    .describe(
      'PASS: the response complies with the rule. VIOLATED: it does not. UNDECIDED: what is there does not show it.',
    ),
  reason: z.string().max(2000).describe('One sentence.'),
  quote: z
    .string()
    .max(2000)
    .describe(
      'For VIOLATED: the words of the response that decided it, copied exactly; where something is missing, the words where it should stand. Else empty.',
    ),
}));

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
