import { z } from 'zod';
import { citedFindingSchema, droppedSchema, positionSchema } from './panel.ts';
import { judgeReportSchema } from './review.ts';
import { closedObject } from './shape.ts';

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
