import { z } from 'zod';
import { lazy } from '../base/lazy.ts';

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
