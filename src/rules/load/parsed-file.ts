import type { JsonPath } from '../../base/fault.ts';
import { jsonPath, nearestLine } from '../../base/fault.ts';
import { faultsOf } from './rule-faults.ts';
import type { RuleRemark } from './rule-faults.ts';
import { writtenRuleSchema } from './rule-file.ts';
import type { RuleFile, WrittenRule } from './rule-file.ts';
import type { RuleFault, RuleNote, RuleSource } from '../../rule-model/rule.ts';

/** A file that holds rules, as it lies in a project; its name is the path from the root. */
export interface RuleFileText {
  readonly name: string;
  readonly text: string;
}

/** A rule as a file writes it, and where its parts stand. */
export interface ParsedRule {
  readonly written: WrittenRule;
  readonly source: RuleSource;
  /** The category when the rule names none. */
  readonly category: string;
  /** The JSON path of the rule in its file. */
  readonly path: JsonPath;
  readonly lineOf: (path: JsonPath) => number | undefined;
}

/** What one file holds, before defaults are filled in and rules of several files are put together. */
export interface ParsedFile {
  readonly rules: readonly ParsedRule[];
  readonly extends: readonly { readonly pack: string; readonly source: RuleSource }[];
  readonly mapping: RuleFile['priority_mapping'];
  readonly faults: readonly RuleFault[];
  readonly notes: readonly RuleNote[];
}

/** A file that holds nothing; the beginning of every other. */
export const NOTHING: ParsedFile = { rules: [], extends: [], mapping: undefined, faults: [], notes: [] };

/** A file that could not be read at all. */
export const unreadable = (
  name: string,
  line: number | undefined,
  message: string,
  remedy: string,
  path: JsonPath = [],
): ParsedFile => ({
  ...NOTHING,
  faults: [placedFault({ path, message, remedy }, sourceAt(name, line))],
});

/** A fault as it is told of its file; `under` is where that stands below which its path was taken. */
export const placedFault = (
  { path, message, remedy }: RuleRemark,
  source: RuleSource,
  under: JsonPath = [],
): RuleFault => ({ source, path: jsonPath([...under, ...path]), message, remedy });

/** A place in a file; the line is left out where it is not known. */
export const sourceAt = (name: string, line: number | undefined): RuleSource => ({
  name,
  ...(line === undefined ? {} : { line }),
});

/** Where a value stands that may hold a rule. */
interface Candidate {
  readonly value: unknown;
  readonly name: string;
  readonly path: JsonPath;
  readonly lineOf: (path: JsonPath) => number | undefined;
  readonly category: string;
}

/** Holds a value against the shape of a rule; the line of a fault is that of the nearest thing that has one. */
export function parseRule({ value, name, path, lineOf, category }: Candidate): {
  readonly rule?: ParsedRule;
  readonly faults: readonly RuleFault[];
} {
  const near = (place: JsonPath): number | undefined => nearestLine(lineOf, place);
  const parsed = writtenRuleSchema.safeParse(value);
  if (parsed.success)
    return {
      rule: { written: parsed.data, source: sourceAt(name, near(path)), category, path, lineOf: near },
      faults: [],
    };
  const faults = faultsOf(parsed.error, writtenRuleSchema, value).map((fault) =>
    placedFault(fault, sourceAt(name, near([...path, ...fault.path])), path),
  );
  return { faults: faults.toSorted((a, b) => (a.source.line ?? 0) - (b.source.line ?? 0)) };
}
