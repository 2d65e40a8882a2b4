import { z } from 'zod';
import { lazy } from '../base/lazy.ts';

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
