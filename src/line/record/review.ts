import { z } from 'zod';
import { findingSchema, SEVERITIES } from '../../rules/model/finding.ts';
import { VERDICTS } from '../../base/names.ts';
import { closedObject } from '../../base/shape.ts';

/** The local review of one tree: findings of scanners and reviewer in one list. */
export const localReviewSchema = closedObject(() => ({
  tree: z.string(),
  verdict: z.enum(['PASS', 'FAIL']),
  critical: z.boolean().describe('A critical security flaw, said by the reviewer or found by a scanner.'),
  findings: z.array(findingSchema()),
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
}));
export type JudgeReport = z.infer<ReturnType<typeof judgeReportSchema>>;

/** A reviewer's citation: a file of the tree, its line, and the quoted words. */
const citationSchema = closedObject(() => ({
  file: z.string(),
  line: z.int().positive().nullable().describe('Null where the file holds the words in a place that was not found.'),
  quote: z.string(),
}));
export type Citation = z.infer<ReturnType<typeof citationSchema>>;

/** An accepted finding: its citation was verified. */
const citedFindingSchema = closedObject(() => ({
  ...citationSchema().shape,
  severity: z.enum(SEVERITIES),
  category: z.string(),
  description: z.string(),
  security: z.boolean(),
  fix: z.string().optional(),
}));
export type CitedFinding = z.infer<ReturnType<typeof citedFindingSchema>>;

/** A second-round answer to one finding, by its number in that round. */
const positionSchema = closedObject(() => ({
  finding: z.string(),
  says: z.enum(['AGREE', 'DISAGREE', 'WITHDRAW']),
  why: z.string(),
  cites: citationSchema().optional().describe('Of a DISAGREE: what contradicts the finding, looked up.'),
}));
export type Position = z.infer<ReturnType<typeof positionSchema>>;

/** A discarded part of an answer, and why. */
const droppedSchema = closedObject(() => ({ what: z.string(), why: z.string() }));
export type Dropped = z.infer<ReturnType<typeof droppedSchema>>;

/** A settled panel: each vote, and the outcome of each finding. */
const panelSummarySchema = closedObject(() => ({
  because: z.string(),
  votes: z.array(
    z.strictObject({
      reviewer: z.string(),
      vote: z.enum(['PASS', 'VIOLATED', 'NO_VOTE']),
      why: z.string().optional().describe('Why it has none.'),
      findings: z.int(),
      withdrawn: z.int(),
      refuted: z.int(),
      unique: z.int().describe('Places that no other reviewer cited.'),
      dropped: z.int().describe('What was left out because it cited nothing that is there.'),
      places: z.array(citationSchema()).describe('Citations of its own blocking findings that were upheld.'),
      style: z.int().describe('Findings about nothing but style.'),
    }),
  ),
}));
export type PanelSummary = z.infer<ReturnType<typeof panelSummarySchema>>;

/** One point of the floor manager's rebuttal: a blocking finding of the last report, and what contradicts it. */
export const rebuttalPointSchema = closedObject(() => ({
  finding: z
    .string()
    .optional()
    .describe('B1 is the first finding of the report that blocks; without it the report as a whole is meant.'),
  why: z.string(),
  cites: citationSchema().optional().describe('Its verified place.'),
}));
export type RebuttalPoint = z.infer<ReturnType<typeof rebuttalPointSchema>>;

/** The judge's answer to the rebuttal of one finding; a refusal cites its evidence. */
const rebuttalAnswerSchema = closedObject(() => ({
  finding: z.string(),
  says: z.enum(['ACCEPTED', 'REFUSED']),
  why: z.string(),
  cites: citationSchema().optional(),
}));
export type RebuttalAnswer = z.infer<ReturnType<typeof rebuttalAnswerSchema>>;

/** The label of a blocking finding: B1 is the first. */
export const formatFindingNumber = (at: number): string => `B${at + 1}`;

export const formatRebuttalPoint = ({ finding, why, cites }: RebuttalPoint): string =>
  `${finding === undefined ? '' : `${finding}: `}${why}${cites === undefined ? '' : ` (${citedInWords(cites)})`}`;

export const formatRebuttalAnswer = ({ finding, says, why, cites }: RebuttalAnswer): string =>
  `${finding} ${says}${why === '' ? '' : `: ${why}`}${cites === undefined ? '' : ` (${citedInWords(cites)})`}`;

const citedInWords = ({ file, line, quote }: Citation): string =>
  `${file}${line === null ? '' : `:${line}`} says ${JSON.stringify(quote.slice(0, 200))}`;

/** One answer of one panel reviewer, or its absence. */
export const panelTurnSchema = closedObject(() => ({
  reviewer: z.string(),
  round: z.union([z.literal(1), z.literal(2)]),
  tree: z.string().describe('What it was asked about; of a review that is no task, the digest of the patch.'),
  verdict: z.enum(['PASS', 'FAIL']).optional(),
  findings: z.array(citedFindingSchema()).optional(),
  positions: z.array(positionSchema()).optional(),
  dropped: z.array(droppedSchema()).optional(),
  report: judgeReportSchema()
    .optional()
    .describe('Of a judge, in the first round: all that it said, with the findings that were kept.'),
  noVote: z.string().optional().describe('Why there is no answer: it failed, was limited, or cannot be read.'),
  call: z.int().optional().describe('The call of the task by which it was asked.'),
}));
export type PanelTurn = z.infer<ReturnType<typeof panelTurnSchema>>;
