import type { z } from 'zod';
import { checkConfig, parseConfig } from '../config/config-file.ts';
import { shippedText } from '../wiring/own-files.ts';

/**
 * Reads a YAML file of `shipped/`, expands its placeholders and validates it. Throws with file and position of every
 * fault. `text` replaces the file on disk.
 */
export function readShipped<Schema extends z.ZodType>(
  path: string,
  schemaOf: () => Schema,
  fill: (value: unknown, faults: string[]) => unknown = (value) => value,
  text: string = shippedText(path),
): z.infer<Schema> {
  const name = `shipped/${path}`;
  const faults: string[] = [];
  const unnamed: string[] = [];
  const value = fill(parseConfig({ name, text }, faults), unnamed) as Record<string, unknown>;
  faults.push(...unnamed.map((fault) => `${name}: ${fault}`));
  if (faults.length === 0 && Object.keys(value).length === 0) faults.push(`${name}: is empty`);
  const read = faults.length === 0 ? checkConfig(schemaOf, value, name, faults) : undefined;
  if (read === undefined) throw new Error(faults.join('\n'));
  return read;
}
