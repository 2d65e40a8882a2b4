import { z } from 'zod';
import type { Fault, JsonPath } from '../base/fault.ts';
import { readJson, type JsonDocument, type JsonFault } from '../base/json.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';
import { listComplaints, toFaults, getValueAt, type Complaint } from '../base/schema-faults.ts';
import { normaliseContract, noticesOf } from './task-contract-normalise.ts';
import { contractV1, contractV2 } from './task-contract-shape.ts';
import type { TaskContract } from './task-contract.ts';

export type { Fault } from '../base/fault.ts';

/** An accepted contract: normalised for the line, and as written for writing back. */
export interface ParsedContract {
  readonly contract: TaskContract;
  readonly document: Record<string, unknown>;
  /** Notices about ignored parts, in sentences. */
  readonly notices: readonly string[];
  /** The line of a part of the document. */
  readonly lineOf: JsonDocument['lineOf'];
}

/** Parses a contract of schema 1.0 or 2.0, or returns every fault at once. */
export function parseContract(text: string): Outcome<ParsedContract, readonly Fault[]> {
  const read = readJson(text);
  if (!read.ok) return failure([brokenJson(read.why)]);
  const document = read.value;
  const schema = getValueAt(document.value, ['schema_version']) === '2.0' ? contractV2() : contractV1();
  const checked = schema.safeParse(withoutExtensions(document.value));
  const complaints = [
    ...(checked.success ? [] : listComplaints(checked.error.issues, schema, ' (your own keys: x-…)')),
    ...duplicates(document.value),
    ...contradictions(document.value),
    ...behindItself(document.value),
  ];
  if (!checked.success || complaints.length > 0) return failure(toFaults(complaints, document));
  return success({
    contract: normaliseContract(checked.data),
    document: document.value as Record<string, unknown>,
    notices: noticesOf(checked.data),
    lineOf: (path) => document.lineOf(path),
  });
}

function brokenJson({ kind, ...where }: JsonFault): Fault {
  return { ...where, example: undefined, kind: kind === 'incomplete' ? 'incomplete' : 'invalid' };
}

/** Removes the users' own keys, `x-…`. */
function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutExtensions(inner)]));
}

/** Finds duplicate source files and gates. */
function duplicates(document: unknown): Complaint[] {
  const lists: readonly [readonly JsonPath[], string, string][] = [
    [[['specification', 'source_files']], 'path', 'each source file once'],
    [[['gates'], ['holdout', 'gates']], 'name', 'a name of its own for each gate'],
  ];
  return lists.flatMap(([places, key, expected]) => {
    const entries = places.flatMap((place) => {
      const list = getValueAt(document, place);
      return Array.isArray(list) ? list.map((_, index) => [...place, index, key]) : [];
    });
    const seen = new Set<unknown>();
    return entries.flatMap((path) => {
      const written = getValueAt(document, path);
      const name = typeof written === 'string' ? written.trim() : undefined;
      const isKnown = name !== undefined && seen.has(name);
      seen.add(name);
      return isKnown ? [{ path, expected }] : [];
    });
  });
}

/** Finds settings with different values in the spellings of both versions. */
function contradictions(document: unknown): Complaint[] {
  const sources = getValueAt(document, ['specification', 'source_files']);
  const pairs: readonly [JsonPath, string, string][] = [
    [['constraints'], 'allow_deletes', 'delete_allowed'],
    [['constraints'], 'max_diff_size', 'max_diff_lines'],
    ...(Array.isArray(sources) ? sources : []).map((_, index): [JsonPath, string, string] => [
      ['specification', 'source_files', index],
      'hash',
      'sha256',
    ]),
  ];
  return pairs.flatMap(([place, first, second]) => {
    const [one, other] = [first, second].map((key) => plainDigest(getValueAt(document, [...place, key])));
    const isGiven = one !== undefined && other !== undefined && one !== '' && other !== '';
    return isGiven && one !== other
      ? [{ path: [...place, second], expected: `the same as in ${first}, or only one` }]
      : [];
  });
}

/** A hash may have its name in front, and letters of either case. */
const plainDigest = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^sha256-/, '').toLowerCase() : value;

/** Finds a task that would wait for itself. */
function behindItself(document: unknown): Complaint[] {
  const [taskId, after] = [getValueAt(document, ['task_id']), getValueAt(document, ['after'])];
  if (typeof taskId !== 'string' || !Array.isArray(after)) return [];
  return after.flatMap((one, index) =>
    one === taskId ? [{ path: ['after', index], expected: 'another task than this one' }] : [],
  );
}

/** The JSON Schema of a contract of either version. */
export function contractJsonSchema(): object {
  const schema = z.toJSONSchema(z.union([contractV1(), contractV2()]), { io: 'input' });
  return {
    ...(allowExtensions(schema) as object),
    title: 'Task contract',
    description: 'What one task may do and must achieve; andon reads it from _handoff/TASK_CONTRACT.json.',
  };
}

/** Lets every strict object accept the users' own keys, `x-…`; JSON Schema can express it, zod cannot. */
function allowExtensions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowExtensions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, allowExtensions(value)]));
  return inner['additionalProperties'] === false ? { ...inner, patternProperties: { '^x-': {} } } : inner;
}
