import { z } from 'zod';
import type { Fault, JsonPath } from '../../base/fault.ts';
import { readJson, type JsonDocument } from '../../base/read-json.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { listComplaints, toFaults, getValueAt, type Complaint } from '../../base/schema-faults.ts';
import { contractV1, contractV2, type WrittenContract } from './task-contract-shape.ts';
import { reviewersOf, type TaskContract } from './task-contract.ts';
import { toGate } from './gate.ts';
import { meansAll } from './task-contract-fields.ts';
import { PAPER_PATHS } from './write-contract.ts';
import { COMPLEXITY_LIMITS, DEFAULT_CONTRACT_LIMITS } from './task-contract-defaults.ts';

export type { Fault } from '../../base/fault.ts';

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
    lineOf: document.lineOf,
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

/** Converts a contract of either version into the line's form, with every default. */
function normaliseContract(written: WrittenContract): TaskContract {
  const { roles = {}, specification, holdout } = written;
  return {
    schemaVersion: written.schema_version,
    taskId: written.task_id,
    project: written.project,
    ...(written.title === undefined ? {} : { title: written.title }),
    priority: written.priority ?? 0,
    ...(written.after === undefined || written.after.length === 0 ? {} : { after: written.after }),
    ...(written.not_before === undefined ? {} : { notBefore: new Date(written.not_before).toISOString() }),
    ...(written.spec === undefined ? {} : { spec: { name: written.spec.name, part: written.spec.part ?? 0 } }),
    complexity: written.complexity,
    roles: {
      implementers: [roles.implementer ?? []].flat(),
      ...reviewersOf(roles.local_reviewer, roles.judge),
      floorManager: roles.floor_manager,
    },
    limits: limitsOf(written),
    constraints: constraintsOf(written),
    specification: {
      sourceFiles: (specification.source_files ?? []).map(({ path, hash, sha256 }) => ({
        path,
        sha256: bareDigest(sha256) ?? bareDigest(hash),
      })),
      targetFile: specification.target_file,
      requirements: specification.requirements,
      acceptanceCriteria: specification.acceptance_criteria ?? [],
    },
    gates: (written.gates ?? []).map(toGate),
    holdout: { gates: (holdout?.gates ?? []).map(toGate), criteria: holdout?.criteria ?? [] },
    targetBranch: written.git?.base_branch || undefined,
  };
}

function limitsOf(written: WrittenContract): TaskContract['limits'] {
  const limits = written.limits ?? {};
  const byComplexity = written.complexity && COMPLEXITY_LIMITS[written.complexity];
  const usual = DEFAULT_CONTRACT_LIMITS.timeoutMinutes;
  const timeout = limits.timeout_minutes ?? usual;
  const perStation =
    typeof timeout === 'number' ? { implementer: timeout, local_review: timeout, judge: timeout } : timeout;
  return {
    maxRebuttals: limits.max_rebuttals ?? byComplexity?.max_rebuttals ?? DEFAULT_CONTRACT_LIMITS.rebuttals,
    maxReviewCycles:
      limits.max_review_cycles ?? byComplexity?.max_review_cycles ?? DEFAULT_CONTRACT_LIMITS.reviewCycles,
    maxStalls: limits.max_stalls ?? DEFAULT_CONTRACT_LIMITS.maxStalls[written.schema_version],
    timeoutMinutes: {
      implementer: perStation.implementer ?? usual,
      localReview: perStation.local_review ?? usual,
      judge: perStation.judge ?? usual,
    },
    ...(limits.hard_limit_minutes === undefined ? {} : { hardLimitMinutes: limits.hard_limit_minutes }),
    budget: {
      usd: lowest(limits.cost_ceiling_usd, limits.budget?.usd) ?? byComplexity?.budget_usd,
      tokens: lowest(limits.token_budget, limits.budget?.tokens),
      minutes: limits.budget?.minutes,
    },
  };
}

function constraintsOf({ constraints, breaker }: WrittenContract): TaskContract['constraints'] {
  return {
    allowedPaths: constraints.allowed_paths.map(expandRoot),
    forbiddenPaths: (constraints.forbidden_paths ?? []).map(expandRoot),
    allowDeletes: mayDelete(constraints),
    ...(constraints.allow_shrink === true ? { allowShrink: true } : {}),
    ...(constraints.allow_test_changes === undefined ? {} : { allowTestChanges: constraints.allow_test_changes }),
    ...(constraints.allow_test_loss === true ? { allowTestLoss: true } : {}),
    maxDiffSize: constraints.max_diff_size ?? constraints.max_diff_lines ?? DEFAULT_CONTRACT_LIMITS.maxDiffSize,
    maxFiles: constraints.max_files ?? DEFAULT_CONTRACT_LIMITS.maxFiles,
    maxDeleteRatio: breaker?.max_delete_ratio ?? DEFAULT_CONTRACT_LIMITS.maxDeleteRatio,
  };
}

/** The repository's root as a pattern for everything in it. */
const expandRoot = (pattern: string): string => (meansAll(pattern) ? '**' : pattern);

/** Deletion must be allowed explicitly, and nothing else in the contract may contradict it. */
function mayDelete(constraints: WrittenContract['constraints']): boolean {
  const listed = constraints.allowed_operations?.includes('delete');
  return (constraints.allow_deletes ?? constraints.delete_allowed ?? listed ?? false) && listed !== false;
}

function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const named = limits.filter((limit) => limit !== undefined);
  return named.length === 0 ? undefined : Math.min(...named);
}

/** A digest without its name in front, in lower case; undefined of an empty one. */
function bareDigest(written: string | undefined): string | undefined {
  return written?.replace(/^sha256-/, '').toLowerCase() || undefined;
}

/** Keys that andon writes, and whose values in a dropped contract it ignores. */
const OWN_KEYS = [
  'status',
  'attempt',
  'history',
  ...['status', 'rebuttal_count', 'review_cycle_count', 'tokens_used', 'cost_usd'].map((key) => `breaker.${key}`),
  ...['local_review_passed', 'changed_files'].map((key) => `handoff_data.${key}`),
];
/** The values of a fresh contract, as JSON. */
const FRESH = ['null', '0', '[]', '""', '"pending_implementer"', '"armed"'];

/** Notices about claims of a contract that andon ignores, and about requests that it does not grant. */
function noticesOf(written: WrittenContract): string[] {
  const claimed = OWN_KEYS.filter((path) => {
    const text = JSON.stringify(getValueAt(written, path.split('.')) ?? null);
    return !FRESH.includes(text) && !(path === 'attempt' && text === '1');
  });
  const moved = Object.entries(PAPER_PATHS).filter(([key, path]) => {
    const wanted = written.handoff_data?.[key as keyof typeof PAPER_PATHS];
    return wanted !== undefined && wanted !== '' && wanted !== path;
  });
  const { allowed_operations: operations, allow_deletes, delete_allowed } = written.constraints;
  const unlisted = (['create', 'edit', 'delete'] as const).filter((one) => operations?.includes(one) === false);
  return [
    ...claimed.map((path) => `$.${path} is ignored: andon writes it.`),
    ...moved.map(([key, path]) => `$.handoff_data.${key} is ignored: the file is always ${path}.`),
    ...unlisted.flatMap((operation) => {
      const notice = `$.constraints.allowed_operations does not list "${operation}": `;
      if (operation !== 'delete') return [`${notice}andon does not enforce that; use paths.`];
      return (allow_deletes ?? delete_allowed) === true ? [`${notice}nothing may be deleted.`] : [];
    }),
  ];
}
