import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { citationSchema, panelSummarySchema } from './panel.ts';
import { findingSchema } from './finding.ts';
import { rebuttalAnswerSchema } from './rebuttal.ts';
import { VERDICTS } from '../base/names.ts';
import { closedObject } from './shape.ts';

const reviewerSchema = lazy(() =>
  z.string().optional().describe('Which of several reviewers at its station; without it, the one that its role names.'),
);

/** The local review of one tree: findings of scanners and reviewer in one list. */
export const localReviewSchema = closedObject(() => ({
  tree: z.string(),
  verdict: z.enum(['PASS', 'FAIL']),
  critical: z.boolean().describe('A critical security flaw, said by the reviewer or found by a scanner.'),
  findings: z.array(findingSchema()),
  reviewer: reviewerSchema(),
  panel: panelSummarySchema()
    .optional()
    .describe('Where several reviewed: how each voted, and what came of what each found.'),
}));
export type LocalReview = z.infer<ReturnType<typeof localReviewSchema>>;

/** A line that the judge quotes, and whether it was found in the judged tree. */
const evidenceLineSchema = closedObject(() => ({
  file: z.string(),
  line: z.int().nullable(),
  quote: z.string(),
  found: z.boolean(),
  proves: z
    .boolean()
    .optional()
    .describe('Whether it shows that the change was read: a substantive line of it, or of an acceptance gate.'),
}));

/** A base test that the change breaks, and the requirement behind it. */
const tiedTestSchema = closedObject(() => ({
  number: z.string(),
  test: z.string(),
  requirement: z.string(),
  cites: citationSchema(),
}));
export type TiedTest = z.infer<ReturnType<typeof tiedTestSchema>>;

/** A judge's report after reading, binding and recomputing by andon. */
export const judgeReportSchema = closedObject(() => ({
  tree: z.string(),
  commit: z.string(),
  contractDigest: z.string(),
  said: z.enum(VERDICTS).describe('The verdict as the judge wrote it.'),
  verdict: z.enum([...VERDICTS, 'NEEDS_REVIEW']).describe('The verdict recomputed from the findings.'),
  why: z.string().describe('How the recomputed verdict differs from the report; empty when it does not.'),
  summary: z.string(),
  blocking: z.array(findingSchema()),
  fixes: z.array(z.string()),
  suggestions: z.array(z.string()),
  securityFlags: z.array(z.string()),
  evidence: z.array(evidenceLineSchema()),
  outside: z.literal(true).optional().describe('An external judge: its quotes are verified; what it read is unknown.'),
  digest: z.string().describe('SHA-256 of JUDGE_REPORT.json.'),
  page: z.string().optional().describe('Only in older journals.'),
  nonce: z.string().optional().describe('What a decision on a report from outside must name: drawn once it is read.'),
  answers: z
    .array(rebuttalAnswerSchema())
    .optional()
    .describe('To the rebuttal of the last report, finding by finding.'),
  tied: z.array(tiedTestSchema()).optional().describe('Broken tests that a requirement asks for.'),
  panel: panelSummarySchema()
    .optional()
    .describe('Of several judges: how each voted, and what came of what each found.'),
  reviewer: reviewerSchema(),
}));
export type JudgeReport = z.infer<ReturnType<typeof judgeReportSchema>>;
