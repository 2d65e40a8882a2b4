import { z } from 'zod';
import { closedObject, looseObject } from './shape.ts';

/** The requested answer of a floor-manager agent. */
export const floorAnswerSchema = closedObject(() => ({
  decision: z.enum(['fix', 'rebut']),
  reason: z.string(),
  rebuttals: z.array(
    z.strictObject({
      finding: z.string(),
      why: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      quote: z.string(),
    }),
  ),
}));

/** The tolerant form, as models print it. */
export const spokenFloorSchema = looseObject(() => ({
  decision: z.string(),
  reason: z.string().nullish(),
  rebuttals: z
    .array(
      z.object({
        finding: z.string(),
        why: z.string().nullish(),
        file: z.string().nullish(),
        line: z.number().int().nullish(),
        quote: z.string().nullish(),
      }),
    )
    .nullish(),
}));
