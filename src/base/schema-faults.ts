import { z } from 'zod';
import { formatJsonPath, findNearestLine, formatValue, type Fault, type JsonPath } from './fault.ts';
import type { JsonDocument } from './read-json.ts';
import { findNearestWord } from './find-nearest-word.ts';

/** A fault without its place in the text. */
export interface Complaint {
  readonly path: JsonPath;
  readonly expected: string;
  readonly example?: string | undefined;
  /** Printable; default: the value at the path. */
  readonly found?: string;
}

/**
 * Turns zod's issues into complaints in this schema's own words, one per place. `ownKeys` names additional keys of any
 * object; default: none.
 */
export function listComplaints(issues: readonly z.core.$ZodIssue[], schema: z.ZodType, ownKeys = ''): Complaint[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, schema, ownKeys));
    const inside = flattenUnionIssues(issue);
    return inside === undefined ? [wrongValue(path, issue, schema)] : listComplaints(inside, schema, ownKeys);
  });
}

/** Places complaints in the text, in reading order, the first one for each place. */
export function toFaults(complaints: readonly Complaint[], document: JsonDocument): Fault[] {
  const faults = new Map<string, Fault>();
  for (const { path, expected, example, found } of complaints) {
    const place = formatJsonPath(path);
    const line = findNearestLine(document.lineOf, path);
    const shown = found ?? formatValue(getValueAt(document.value, path));
    if (!faults.has(place)) faults.set(place, { path: place, line, found: shown, expected, example, kind: 'invalid' });
  }
  return [...faults.values()].toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

/** The value at a path of a document; undefined when it does not exist. */
export function getValueAt(document: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    document,
  );
}

function wrongValue(path: JsonPath, issue: z.core.$ZodIssue, schema: z.ZodType): Complaint {
  const { description, examples } = metaOf(getSchemaAt(schema, path));
  const example = examples?.[0];
  const shown = example === undefined ? undefined : JSON.stringify(example);
  if (issue.code === 'custom') return { path, expected: `${description}. ${issue.message}`, example: shown };
  if (example !== undefined && description !== undefined) return { path, expected: description, example: shown };
  return { path, expected: [rule(issue), description].filter((part) => part !== undefined).join('. '), example: shown };
}

/** zod's expectation in plain words, for schemas without a text of their own. */
function rule(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === 'too_small' && issue.origin === 'string') return 'text that is not blank';
  if (issue.code === 'too_small') return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
  if (issue.code === 'invalid_value' && issue.values.every((one) => typeof one === 'string'))
    return `one of ${issue.values.join(', ')}`;
  return issue.message;
}

function unknownKey(path: JsonPath, key: string, schema: z.ZodType, ownKeys: string): Complaint {
  const known = Object.keys(schemaKeys(getSchemaAt(schema, path)) ?? {});
  const elsewhere = findPlace(schema, key);
  const nearest = findNearestWord(key, known);
  let expected = `one of ${known.join(', ')}${ownKeys}`;
  if (nearest !== undefined) expected = `a known key; the nearest is ${nearest}`;
  else if (elsewhere !== undefined) expected = `a known key; ${key} belongs in ${elsewhere}`;
  return { path: [...path, key], expected, found: `the unknown key ${formatValue(key.slice(0, 60))}`.slice(0, 80) };
}

/** The section of the document in which a key would be known. */
function findPlace(schema: z.ZodType, key: string): string | undefined {
  if (Object.hasOwn(schemaKeys(schema) ?? {}, key)) return 'the root of the file';
  for (const [section, inner] of Object.entries(schemaKeys(schema) ?? {})) {
    if (Object.hasOwn(schemaKeys(inner) ?? {}, key)) return section;
  }
  return undefined;
}

function metaOf(schema: z.ZodType | undefined): z.core.GlobalMeta & { examples?: unknown[] } {
  let here = schema;
  while (here instanceof z.ZodOptional && here.meta()?.description === undefined) here = here.unwrap() as z.ZodType;
  return here?.meta() ?? {};
}

/** The schema of a path of a document; undefined where the path is unknown. */
export function getSchemaAt(schema: z.ZodType, path: JsonPath): z.ZodType | undefined {
  let here: z.ZodType | undefined = schema;
  for (const step of path) {
    const shape: Record<string, z.ZodType> | undefined = schemaKeys(here);
    const list = listOf(here);
    here = typeof step === 'number' ? list : shape?.[step];
  }
  return here;
}

/** The keys of an object's schema; for a union, those of its object. */
export function schemaKeys(schema: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  const here = unwrapOptional(schema);
  if (here instanceof z.ZodObject) return here.shape;
  return here instanceof z.ZodUnion ? firstOf(here, schemaKeys) : undefined;
}

/** A schema without its default, its conversions, and the permission to leave its value out. */
export function unwrapOptional(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapOptional(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrapOptional(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return unwrapOptional(schema.in as z.ZodType);
  return schema;
}

/** zod's issues in the intended branch of a union: the one whose outer type fits; undefined when none does. */
export function flattenUnionIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const meant = issue.errors.find((branch) => branch.some((one) => one.path.length > 0));
  return meant?.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** The types of JSON in plain words. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function listOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const here = unwrapOptional(schema);
  if (here instanceof z.ZodArray) return here.element as z.ZodType;
  return here instanceof z.ZodUnion ? firstOf(here, listOf) : undefined;
}

function firstOf<Found>(union: z.ZodUnion, look: (one: z.ZodType) => Found | undefined): Found | undefined {
  for (const option of union.options) {
    const found = look(option as z.ZodType);
    if (found !== undefined) return found;
  }
  return undefined;
}
