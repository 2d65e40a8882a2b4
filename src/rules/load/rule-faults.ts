import type { z } from 'zod';
import { formatJsonPath, formatValue, type JsonPath } from '../../base/fault.ts';
import type { RuleRemark } from '../model/rule.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import {
  TYPES,
  unwrapOptional,
  flattenUnionIssues,
  getSchemaAt,
  schemaKeys,
  getValueAt,
} from '../../base/schema-faults.ts';

/** Rewords zod's faults of a rule file: the value, what is expected, and the nearest known key. */
export function faultsOf(error: z.ZodError, schema: z.ZodType, root: unknown): readonly RuleRemark[] {
  const faults = new Map<string, RuleRemark>();
  for (const fault of error.issues.flatMap((issue) => fromIssue(issue, schema, root)))
    if (!faults.has(formatJsonPath(fault.path))) faults.set(formatJsonPath(fault.path), fault);
  return [...faults.values()].slice(0, MOST_FAULTS);
}

/** A file with more has one cause. */
const MOST_FAULTS = 100;

function fromIssue(issue: z.core.$ZodIssue, schema: z.ZodType, root: unknown): RuleRemark[] {
  const path = issue.path.filter((step) => typeof step !== 'symbol');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, schema));
  const inside = flattenUnionIssues(issue);
  if (inside !== undefined) return inside.flatMap((one) => fromIssue(one, schema, root));
  const found = getValueAt(root, path);
  if (issue.code === 'custom')
    return [{ path, message: `found ${formatValue(found)}: ${issue.message}`, remedy: remedyFor(issue, path, found) }];
  const message = `found ${formatValue(found)}; expected ${describedAt(schema, path) ?? plainly(issue)}`;
  return [{ path, message, remedy: remedyFor(issue, path, found) }];
}

function remedyFor(issue: z.core.$ZodIssue, path: JsonPath, found: unknown): string {
  if (found === undefined) return `add \`${nameOf(path)}\``;
  const remedy = issue.code === 'custom' ? issue.params?.['remedy'] : undefined;
  return typeof remedy === 'string' ? remedy : 'correct it';
}

function describedAt(schema: z.ZodType, path: JsonPath): string | undefined {
  const here = getSchemaAt(schema, path);
  return here?.meta()?.description ?? unwrapOptional(here)?.meta()?.description;
}

const nameOf = (path: JsonPath): string => String(path.at(-1) ?? 'it');

/** What zod asks for, for schemas that do not say themselves what belongs there. */
function plainly(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPES_OF_YAML[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code === 'too_small') return `at least ${issue.minimum}`;
  return issue.message;
}

/** What YAML calls an object is a map. */
const TYPES_OF_YAML: Readonly<Record<string, string>> = { ...TYPES, object: 'a map of keys', record: 'a map of keys' };

function unknownKey(path: JsonPath, key: string, schema: z.ZodType): RuleRemark {
  const known = Object.keys(schemaKeys(getSchemaAt(schema, path)) ?? {});
  const nearest = findNearestWord(key, known);
  return {
    path: [...path, key],
    message: `the key ${formatValue(key.slice(0, 60))} is not known${nearest === undefined ? `; expected one of ${known.join(', ')}` : ''}`,
    remedy:
      nearest === undefined
        ? `remove it${known.includes('metadata') ? ', or put it below `metadata`' : ''}`
        : `the nearest known key is \`${nearest}\``,
  };
}
