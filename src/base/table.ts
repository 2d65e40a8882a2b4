import type { z } from 'zod';
import { jsonPath, printable } from './fault.ts';
import { complaintsOf, valueAt } from './schema-faults.ts';

/**
 * The rows of a data file beside the code, checked by their schema; faults name the file, the place and the expected
 * value.
 */
export function tableOf<Schema extends z.ZodType>(file: string, schema: Schema, data: unknown): z.output<Schema> {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const wrong = complaintsOf(read.error.issues, schema).map(
    ({ path, expected, found }) =>
      `${file}: ${jsonPath(path)}: found ${found ?? printable(valueAt(data, path))}; expected ${expected}`,
  );
  throw new Error(wrong.join('\n'));
}
