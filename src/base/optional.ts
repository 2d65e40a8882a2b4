import type { z } from 'zod';

export const optionalKey = <Schema extends z.ZodType>(schema: Schema, description: string): z.ZodOptional<Schema> =>
  schema.optional().describe(description);

/** A key that may be left out: then it has this value. */
export const keyWithDefault = <Schema extends z.ZodType>(
  schema: Schema,
  usual: z.util.NoUndefined<z.output<Schema>>,
  description: string,
): z.ZodDefault<Schema> => schema.default(usual).describe(description);

/** A section of keys with defaults: left out, it has all of them. */
export const sectionKey = <Schema extends z.ZodType<unknown, object>>(
  schema: Schema,
  description: string,
): z.ZodPrefault<Schema> => schema.prefault({} as z.input<Schema>).describe(description);
