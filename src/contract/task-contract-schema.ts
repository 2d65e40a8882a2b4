import { z } from 'zod';
import type { Fault, JsonPath } from '../base/fault.ts';
import { readJson, type JsonDocument } from '../base/json.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';
import { listComplaints, toFaults, getValueAt, type Complaint } from '../base/schema-faults.ts';
import { bareDigest, normaliseContract, noticesOf } from './task-contract-normalise.ts';
import { contractV1, contractV2, type WrittenContract } from './task-contract-shape.ts';
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
  if (!read.ok) {
    const { kind, ...where } = read.why;
    return failure([{ ...where, example: undefined, kind: kind === 'incomplete' ? 'incomplete' : 'invalid' }]);
  }
  const document = read.value;
  const schema = getValueAt(document.value, ['schema_version']) === '2.0' ? contractV2() : contractV1();
  const checked = schema.safeParse(withoutExtensions(document.value));
  const complaints = checked.success
    ? listContradictions(checked.data)
    : listComplaints(checked.error.issues, schema, ' (your own keys: x-…)');
  if (!checked.success || complaints.length > 0) return failure(toFaults(complaints, document));
  return success({
    contract: normaliseContract(checked.data),
    document: document.value as Record<string, unknown>,
    notices: noticesOf(checked.data),
    lineOf: (path) => document.lineOf(path),
  });
}

/** Removes the users' own keys, `x-…`. */
function withoutExtensions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutExtensions(inner)]));
}

/** Faults of fields that do not fit together. */
function listContradictions({ after = [], constraints, gates = [], holdout, specification, task_id }: WrittenContract) {
  const sources = specification.source_files ?? [];
  const deletes = [constraints.allow_deletes, constraints.delete_allowed];
  const sizes = [constraints.max_diff_size, constraints.max_diff_lines];
  return [
    ...listRepeated(
      sources.map(({ path }, at) => ({ name: path, path: ['specification', 'source_files', at, 'path'] })),
      'each source file once',
    ),
    ...listRepeated(
      [
        ...gates.map(({ name }, at) => ({ name, path: ['gates', at, 'name'] })),
        ...(holdout?.gates ?? []).map(({ name }, at) => ({ name, path: ['holdout', 'gates', at, 'name'] })),
      ],
      'a name of its own for each gate',
    ),
    ...compareSpellings(deletes, ['constraints', 'delete_allowed'], 'allow_deletes'),
    ...compareSpellings(sizes, ['constraints', 'max_diff_lines'], 'max_diff_size'),
    ...sources.flatMap(({ hash, sha256 }, at) =>
      compareSpellings([hash, sha256].map(bareDigest), ['specification', 'source_files', at, 'sha256'], 'hash'),
    ),
    ...after.flatMap((one, at) =>
      one === task_id ? [{ path: ['after', at], expected: 'another task than this one' }] : [],
    ),
  ];
}

const listRepeated = (
  named: readonly { readonly name: string; readonly path: JsonPath }[],
  expected: string,
): Complaint[] =>
  named.flatMap(({ name, path }, at) =>
    named.findIndex((other) => other.name === name) < at ? [{ path, expected }] : [],
  );

/** A setting may have different values in the spellings of both versions. */
const compareSpellings = ([first, second]: readonly unknown[], path: JsonPath, other: string): Complaint[] =>
  first === undefined || second === undefined || first === second
    ? []
    : [{ path, expected: `the same as in ${other}, or only one` }];

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
