import { z } from 'zod';
import { citationSchema, type Citation } from './panel.ts';
import { closedObject } from './shape.ts';

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
export const rebuttalAnswerSchema = closedObject(() => ({
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
