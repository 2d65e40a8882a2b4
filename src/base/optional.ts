import type { z } from 'zod';

export const optionalKey = <Schema extends z.ZodType>(schema: Schema, description: string): z.ZodOptional<Schema> =>
  schema.optional().describe(description);
