import { z } from 'zod';
import { closedObject, looseObject } from './shape.ts';

/** The requested answer to a proposal in prose. */
export const draftAnswerSchema = closedObject(() => ({
  tasks: z.array(
    z.strictObject({
      title: z.string(),
      requirements: z.array(z.strictObject({ text: z.string(), quote: z.string() })),
      acceptance_criteria: z.array(z.string()),
      source_files: z.array(z.string()),
      changed_files: z.array(z.string()),
      complexity: z.enum(['trivial', 'minor', 'major', 'critical']),
      after: z.array(z.int()),
    }),
  ),
  questions: z.array(z.string()),
}));

/** The tolerant form, as models print it. */
export const spokenDraftSchema = looseObject(() => ({
  tasks: z.array(
    z.object({
      title: z.string(),
      requirements: z.array(z.union([z.string(), z.object({ text: z.string(), quote: z.string().nullish() })])),
      acceptance_criteria: z.array(z.string()).nullish(),
      source_files: z.array(z.string()).nullish(),
      changed_files: z.array(z.string()).nullish(),
      complexity: z.string().nullish(),
      after: z.array(z.union([z.number(), z.string()])).nullish(),
    }),
  ),
  questions: z.array(z.string()).nullish(),
}));
