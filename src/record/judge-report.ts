import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { VERDICTS } from '../base/names.ts';
import { closedObject, looseObject } from './shape.ts';

/** The requested answer of the judge: closed and complete. */
export const judgeAnswerSchema = closedObject(() => ({
  task_id: z.string(),
  commit: z.string().describe('The commit that was judged, copied from the request.'),
  contract_digest: z.string().describe('Copied from the request.'),
  verdict: z.enum(VERDICTS),
  summary: z.string(),
  blocking_issues: z.array(
    z.strictObject({
      severity: z.enum(['medium', 'high', 'critical']),
      category: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      description: z.string(),
      fix_required: z.string(),
    }),
  ),
  required_fixes: z.array(z.string()),
  suggestions: z.array(z.string()),
  security_flags: z.array(z.string()),
  evidence: z
    .array(z.strictObject({ file: z.string(), line: z.int().nullable(), quote: z.string() }))
    .describe('Lines of the judged tree that carry the verdict, quoted exactly.'),
}));

/** Further requested fields: broken tests with requirements, rebuttal answers, and citations per issue on a panel. */
export function judgeAnswerFor({
  isRebutted,
  cites,
  breaksTests,
}: {
  readonly isRebutted: boolean;
  readonly cites: boolean;
  readonly breaksTests: boolean;
}) {
  const { blocking_issues: issues } = judgeAnswerSchema().shape;
  return judgeAnswerSchema().extend({
    ...(cites ? { blocking_issues: z.array(issues.element.extend({ quote: z.string() })) } : {}),
    ...(breaksTests
      ? {
          broken_tests: z
            .array(
              z.strictObject({
                test: z.string(),
                requirement: z.string(),
                file: z.string(),
                line: z.int().nullable(),
                quote: z.string(),
              }),
            )
            .describe('Tests of the target branch that a requirement asks to break; the others are left out.'),
        }
      : {}),
    ...(isRebutted
      ? {
          rebuttal_answers: z.array(
            z.strictObject({
              finding: z.string(),
              answer: z.enum(['ACCEPTED', 'REFUSED']),
              why: z.string(),
              file: z.string().nullable(),
              line: z.int().nullable(),
              quote: z.string().nullable(),
            }),
          ),
        }
      : {}),
  });
}

/** The accepted forms: 1.0 and 2.0 spellings, issues as texts or objects. */
export const writtenReportSchema = looseObject(() => ({
  task_id: z.string().optional(),
  commit: z.string().optional(),
  contract_digest: z.string().optional(),
  verdict: z.string().optional(),
  grade: z.string().optional(),
  summary: z.string().optional(),
  blocking_issues: z.array(z.unknown()),
  required_fixes: z.array(z.unknown()).optional(),
  suggestions: z.array(z.unknown()).optional(),
  security_flags: z.array(z.unknown()).optional(),
  evidence: z.array(z.unknown()).optional(),
  rebuttal_answers: z.array(z.unknown()).optional(),
  broken_tests: z.array(z.unknown()).optional(),
}));

/** A broken test and its requirement, as a judge writes them. */
export const writtenTieSchema = looseObject(() => ({
  test: z.string(),
  requirement: z.string(),
  file: z.string().nullish(),
  line: z.number().int().nullish(),
  quote: z.string().nullish(),
}));

/** The answer to one rebuttal, as a judge writes it. */
export const writtenAnswerSchema = looseObject(() => ({
  finding: z.string(),
  answer: z.string(),
  why: z.string().nullish(),
  file: z.string().nullish(),
  line: z.number().int().nullish(),
  quote: z.string().nullish(),
}));

/** A quoted line as a judge writes it: the text alone, or with its place. */
export const writtenEvidenceSchema = lazy(() =>
  z.union([z.string(), z.object({ file: z.string(), line: z.number().int().nullish(), quote: z.string() })]),
);

/** A report as written, before it is verified. */
export type WrittenReport = z.infer<ReturnType<typeof writtenReportSchema>>;
