import { isObject } from '../../base/json-object.ts';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import type { JsonPath } from '../../base/fault.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { getSchemaAt, schemaKeys, getValueAt } from '../../base/schema-faults.ts';

/** A configuration file on disk; `text` undefined = it does not exist. */
export interface ConfigFile {
  readonly name: string;
  readonly text: string | undefined;
}

/** The keys of a strict YAML map; none, with a fault, for anything else. */
export function parseConfig(file: ConfigFile, faults: string[]): Record<string, unknown> {
  if (file.text === undefined) return {};
  const document = parseDocument(file.text, { strict: true, uniqueKeys: true, version: '1.2' });
  const [error] = [...document.errors, ...document.warnings];
  if (error) {
    faults.push(`${file.name}: ${(error.message.split('\n')[0] ?? 'is not valid YAML').replace(/:$/, '')}`);
    return {};
  }
  const value: unknown = document.toJS({ maxAliasCount: 20 }) ?? {};
  if (!isObject(value)) {
    faults.push(`${file.name}: expected a map of keys`);
    return {};
  }
  return value;
}

/** Checks a file by its schema, which fills in defaults; every fault with its place and a suggestion. */
export function checkConfig<Shape extends z.ZodType>(
  schemaOf: () => Shape,
  value: Record<string, unknown>,
  name: string,
  faults: string[],
): z.infer<Shape> | undefined {
  const schema = schemaOf();
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues.flatMap(unionApart)) {
    const { path, message } = issue;
    const place = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
    faults.push(`${name}: ${place}${message}${nearestKeys(issue, schema)}${nearestValue(issue, value)}`);
  }
  return undefined;
}

function nearestKeys(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  if (issue.code !== 'unrecognized_keys') return '';
  const known = Object.keys(schemaKeys(getSchemaAt(schema, issue.path as JsonPath)) ?? {});
  const nearest = issue.keys.flatMap((key) => findNearestWord(key, known) ?? []);
  if (nearest.length > 0) return `; did you mean ${nearest.join(', ')}?`;
  return known.length > 0 ? `; known are ${known.join(', ')}` : '';
}

function nearestValue(issue: z.core.$ZodIssue, written: unknown): string {
  const value = getValueAt(written, issue.path as JsonPath);
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return '';
  const nearest = findNearestWord(
    value,
    issue.values.filter((one) => typeof one === 'string'),
  );
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

/** The expectation of the intended side of a union, about which zod only says "invalid". */
function unionApart(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const sides = issue.errors.flat().flatMap(unionApart);
  const deep = sides.filter(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'); // a side of the right kind says more than the others
  const ofItsKind = sides.filter(({ code }) => code !== 'invalid_type'); // and so does one that names its values
  const [issues = sides] = [deep, ofItsKind].filter(({ length }) => length > 0);
  return issues.map((side) => ({ ...side, path: [...issue.path, ...side.path] }));
}
