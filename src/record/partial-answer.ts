import { z } from 'zod';
import { closedObject } from './shape.ts';

const blockSchema = closedObject(() => ({ search: z.string(), replace: z.string() }));

/** An answer with search/replace blocks that match nothing: the rest is kept, and only these are requested again. */
export const partialAnswerSchema = closedObject(() => ({
  head: z.string().describe('The commit that the edits were written against; for another one they mean nothing.'),
  kept: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('write'), path: z.string(), content: z.string() }),
        z.strictObject({ kind: z.literal('replace'), path: z.string(), blocks: z.array(blockSchema()) }),
        z.strictObject({ kind: z.literal('delete'), path: z.string() }),
      ]),
    )
    .describe('Edits that are good and applied together with the corrected ones.'),
  failed: z.array(
    z.strictObject({
      path: z.string(),
      ...blockSchema().shape,
      why: z.string().describe('With the closest real lines.'),
    }),
  ),
}));
export type PartialAnswer = z.infer<ReturnType<typeof partialAnswerSchema>>;
