import { z } from 'zod';
import { once } from '../base/once.ts';
import { SEVERITIES } from './finding.ts';

const findingShape = once(() =>
  z.strictObject({
    severity: z.enum(SEVERITIES),
    category: z.enum(['syntax', 'security', 'correctness', 'requirement', 'rule', 'test', 'style']),
    file: z.string(),
    line: z.int().nullable(),
    quote: z.string(),
    description: z.string(),
    fix: z.string(),
  }),
);

/** What a reviewer answers in the first round. */
export const firstAnswerSchema = once(() =>
  z.strictObject({ verdict: z.enum(['PASS', 'FAIL']), findings: z.array(findingShape()) }),
);

/** What a reviewer answers in the second round. */
export const secondAnswerSchema = once(() =>
  z.strictObject({
    answers: z.array(
      z.strictObject({
        finding: z.string(),
        says: z.enum(['AGREE', 'DISAGREE', 'WITHDRAW']),
        why: z.string(),
        file: z.string().nullable(),
        line: z.int().nullable(),
        quote: z.string().nullable(),
      }),
    ),
  }),
);

/** An opinion as reviewers really print it. */
export const spokenFirstSchema = once(() =>
  z.object({ verdict: z.string(), findings: z.array(z.unknown()).optional() }),
);
/** Where a finding says it stands, in the words that models use. */
export const spokenPlaceSchema = once(() =>
  z.object({
    file: z.string().nullish(),
    line: z.number().int().nullish(),
    quote: z.string().nullish(),
    evidence: z.string().nullish(),
    fix: z.string().nullish(),
  }),
);
/** The answers of the second round as they are printed. */
export const spokenSecondSchema = once(() => z.object({ answers: z.array(z.unknown()) }));
/** One of them. */
export const spokenPositionSchema = once(() =>
  z.object({
    finding: z.string(),
    says: z.string(),
    why: z.string().nullish(),
    file: z.string().nullish(),
    line: z.number().int().nullish(),
    quote: z.string().nullish(),
  }),
);
