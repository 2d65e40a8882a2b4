import type { z } from 'zod';
import { formatJsonPath, formatValue } from './fault.ts';
import { listComplaints, getValueAt } from './schema-faults.ts';

/**
 * The rows of a data file beside the code, checked by their schema; faults name the file, the place and the expected
 * value.
 */
export function loadTable<Schema extends z.ZodType>(file: string, schema: Schema, data: unknown): z.output<Schema> {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const wrong = listComplaints(read.error.issues, schema).map(
    ({ path, expected, found }) =>
      `${file}: ${formatJsonPath(path)}: found ${found ?? formatValue(getValueAt(data, path))}; expected ${expected}`,
  );
  throw new Error(wrong.join('\n'));
}
