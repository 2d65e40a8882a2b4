import { z } from 'zod';
import { closed } from './shape.ts';

/** Why a judged change was not merged. */
export const mergeBlockedSchema = closed(() => ({
  reason: z.string(),
  conflictsWith: z.string().optional(),
  wide: z.literal(true).optional().describe('Nothing can be merged there now, whatever the change is.'),
  takenBack: z.string().optional().describe('The merge that was made, and that somebody took back.'),
}));

/** The commit of the target on which the task builds from now on. */
export const targetMovedSchema = closed(() => ({
  base: z.string(),
  toFix: z.literal(true).optional().describe('The change had been sent back, and is to be mended on the new base.'),
}));
