import { z } from 'zod';
import { SEVERITIES } from './finding.ts';
import { closedObject, looseObject } from './shape.ts';

const findingShape = closedObject(() => ({
  severity: z.enum(SEVERITIES),
  category: z.enum(['syntax', 'security', 'correctness', 'requirement', 'rule', 'test', 'style']),
  file: z.string(),
  line: z.int().nullable(),
  quote: z.string(),
  description: z.string(),
  fix: z.string(),
}));

/** A reviewer's answer in the first round. */
export const firstAnswerSchema = closedObject(() => ({
  verdict: z.enum(['PASS', 'FAIL']),
  findings: z.array(findingShape()),
}));

/** A reviewer's answer in the second round. */
export const secondAnswerSchema = closedObject(() => ({
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
}));

/** The tolerant form of an opinion. */
export const spokenFirstSchema = looseObject(() => ({
  verdict: z.string(),
  findings: z.array(z.unknown()).optional(),
}));
/** The place of a finding, in the keys that models use. */
export const spokenPlaceSchema = looseObject(() => ({
  file: z.string().nullish(),
  line: z.number().int().nullish(),
  quote: z.string().nullish(),
  evidence: z.string().nullish(),
  fix: z.string().nullish(),
}));
/** The tolerant form of the second round. */
export const spokenSecondSchema = looseObject(() => ({ answers: z.array(z.unknown()) }));
export const spokenPositionSchema = looseObject(() => ({
  finding: z.string(),
  says: z.string(),
  why: z.string().nullish(),
  file: z.string().nullish(),
  line: z.number().int().nullish(),
  quote: z.string().nullish(),
}));
