import { z } from 'zod';
import { looseObject } from './shape.ts';

/** The last lines of a running call's output, as the daemon hands them to boards. Secrets are masked. */
export const outputTailSchema = looseObject(() => ({
  call: z.int(),
  station: z.string().max(40),
  /** How many lines came before the first of these. */
  first: z.int().min(0),
  lines: z.array(z.string()),
}));
export type OutputTail = z.infer<ReturnType<typeof outputTailSchema>>;
