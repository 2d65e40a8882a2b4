import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { VERDICTS } from '../../base/names.ts';
import { closedObject, looseObject } from '../../base/shape.ts';
import { SEVERITIES } from '../../rules/model/finding.ts';

/** Where something stands, as a model is asked for it. */
const place = () => ({ file: z.string(), line: z.int().nullable(), quote: z.string() });
const placeOrNone = () => ({ file: z.string().nullable(), line: z.int().nullable(), quote: z.string().nullable() });

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
    .array(z.strictObject(place()))
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
            .array(z.strictObject({ test: z.string(), requirement: z.string(), ...place() }))
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
              ...placeOrNone(),
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

const textOrNone = () => z.string().optional().catch(undefined);

/**
 * One point of an answer, as models write it: about a finding or a test, with words and a place. Its readers each ask for
 * a part of it, so that only the place must be well formed; any other field that is no text is one that is not there.
 */
export const writtenPointSchema = looseObject(() => ({
  finding: textOrNone(),
  test: textOrNone(),
  requirement: textOrNone(),
  answer: textOrNone(),
  says: textOrNone(),
  why: textOrNone(),
  file: z.string().nullish(),
  line: z.number().int().nullish(),
  quote: z.string().nullish(),
  evidence: textOrNone(),
  fix: textOrNone(),
}));

/** A quoted line as a judge writes it: the text alone, or with its place. */
export const writtenEvidenceSchema = lazy(() =>
  z.union([z.string(), z.object({ file: z.string(), line: z.number().int().nullish(), quote: z.string() })]),
);

export type WrittenReport = z.infer<ReturnType<typeof writtenReportSchema>>;

/** The requested answer of a reviewer, which cites on a panel. */
export const reviewAnswerFor = (cites: boolean) =>
  z.strictObject({
    verdict: z.enum(['PASS', 'FAIL']),
    ...(cites ? {} : { critical_security_flaw: z.boolean() }),
    findings: z.array(
      z.strictObject({
        severity: z.enum(SEVERITIES),
        category: z.enum(['syntax', 'security', 'correctness', 'requirement', 'rule', 'test', 'style']),
        file: z.string(),
        line: z.int().nullable(),
        description: z.string(),
        ...(cites ? { quote: z.string(), fix: z.string() } : { evidence: z.string() }),
      }),
    ),
  });

/** The accepted forms: our schema, and the seed's {verdict, critical, issues}. Types are strict. */
export const spokenReviewSchema = lazy(() =>
  z
    .object({
      verdict: z.string(),
      critical_security_flaw: z.boolean().optional(),
      critical: z.boolean().optional(),
      findings: z.array(z.unknown()).optional(),
      issues: z.array(z.unknown()).optional(),
    })
    .refine((value) => value.findings === undefined || value.issues === undefined),
);

export const floorAnswerSchema = closedObject(() => ({
  decision: z.enum(['fix', 'rebut']),
  reason: z.string(),
  rebuttals: z.array(z.strictObject({ finding: z.string(), why: z.string(), ...place() })),
}));

export const spokenFloorSchema = looseObject(() => ({
  decision: z.string(),
  reason: z.string().nullish(),
  rebuttals: z.array(writtenPointSchema()).nullish(),
}));

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

export const secondAnswerSchema = closedObject(() => ({
  answers: z.array(
    z.strictObject({
      finding: z.string(),
      says: z.enum(['AGREE', 'DISAGREE', 'WITHDRAW']),
      why: z.string(),
      ...placeOrNone(),
    }),
  ),
}));

export const spokenSecondSchema = looseObject(() => ({ answers: z.array(z.unknown()) }));
