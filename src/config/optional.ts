import type { z } from 'zod';

/** A key that may be left out, and what it is for. */
export const optional = <Schema extends z.ZodType>(schema: Schema, description: string): z.ZodOptional<Schema> =>
  schema.optional().describe(description);
