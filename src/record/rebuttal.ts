import { z } from 'zod';
import { citationSchema } from './panel.ts';
import type { Citation } from './panel.ts';
import { closed } from './shape.ts';

/** One point of the floor manager's rebuttal: a blocking finding of the last report, and what contradicts it. */
export const rebuttalPointSchema = closed(() => ({
  finding: z
    .string()
    .optional()
    .describe('B1 is the first finding of the report that blocks; without it the report as a whole is meant.'),
  why: z.string(),
  cites: citationSchema().optional().describe('Where it stands, looked up.'),
}));
export type RebuttalPoint = z.infer<ReturnType<typeof rebuttalPointSchema>>;

/** What the judge says to the rebuttal of one finding; a refusal cites what shows that the finding holds. */
export const rebuttalAnswerSchema = closed(() => ({
  finding: z.string(),
  says: z.enum(['ACCEPTED', 'REFUSED']),
  why: z.string(),
  cites: citationSchema().optional(),
}));
export type RebuttalAnswer = z.infer<ReturnType<typeof rebuttalAnswerSchema>>;

/** By what a blocking finding of a report is called: B1 is the first. */
export const findingNumber = (at: number): string => `B${at + 1}`;

/** A point in one line. */
export const pointInWords = ({ finding, why, cites }: RebuttalPoint): string =>
  `${finding === undefined ? '' : `${finding}: `}${why}${cites === undefined ? '' : ` (${citedInWords(cites)})`}`;

/** An answer in one line. */
export const answerInWords = ({ finding, says, why, cites }: RebuttalAnswer): string =>
  `${finding} ${says}${why === '' ? '' : `: ${why}`}${cites === undefined ? '' : ` (${citedInWords(cites)})`}`;

const citedInWords = ({ file, line, quote }: Citation): string =>
  `${file}${line === null ? '' : `:${line}`} says ${JSON.stringify(quote.slice(0, 200))}`;
