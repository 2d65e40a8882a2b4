import { z } from 'zod';
import { SEVERITIES } from './finding.ts';
import { closedObject } from './shape.ts';

/** A reviewer's citation: a file of the tree, its line, and the quoted words. */
export const citationSchema = closedObject(() => ({
  file: z.string(),
  line: z.int().positive().nullable().describe('Null where the file holds the words in a place that was not found.'),
  quote: z.string(),
}));
export type Citation = z.infer<ReturnType<typeof citationSchema>>;

/** An accepted finding: its citation was verified. */
export const citedFindingSchema = closedObject(() => ({
  ...citationSchema().shape,
  severity: z.enum(SEVERITIES),
  category: z.string(),
  description: z.string(),
  security: z.boolean(),
  fix: z.string().optional(),
}));
export type CitedFinding = z.infer<ReturnType<typeof citedFindingSchema>>;

/** A second-round answer to one finding, by its number in that round. */
export const positionSchema = closedObject(() => ({
  finding: z.string(),
  says: z.enum(['AGREE', 'DISAGREE', 'WITHDRAW']),
  why: z.string(),
  cites: citationSchema().optional().describe('Of a DISAGREE: what contradicts the finding, looked up.'),
}));
export type Position = z.infer<ReturnType<typeof positionSchema>>;

/** A discarded part of an answer, and why. */
export const droppedSchema = closedObject(() => ({ what: z.string(), why: z.string() }));
export type Dropped = z.infer<ReturnType<typeof droppedSchema>>;

/** A settled panel: each vote, and the outcome of each finding. */
export const panelSummarySchema = closedObject(() => ({
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
