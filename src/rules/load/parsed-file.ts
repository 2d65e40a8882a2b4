import { findNearestLine, type JsonPath } from '../../base/fault.ts';
import { faultAt, sourceAt, type RuleDocument, type RuleDraft } from '../../compat/dialect.ts';
import { toOwnRule } from '../../compat/older-rules.ts';
import { ruleSchema, type RuleFault, type RuleNote, type RuleSource, type WrittenRule } from '../../rule-model/rule.ts';
import type { RuleFileSettings } from './rule-file.ts';
import { faultsOf, type RuleRemark } from './rule-faults.ts';

/** A rule as a file writes it, and the place of its parts. */
export interface ParsedRule {
  readonly written: WrittenRule;
  readonly source: RuleSource;
  /** The category when the rule names none. */
  readonly category: string;
  /** The JSON path of the rule in its file. */
  readonly path: JsonPath;
  readonly lineOf: (path: JsonPath) => number | undefined;
}

/** The content of one file, before the rules of several files are put together. */
export interface ParsedFile {
  readonly rules: readonly ParsedRule[];
  readonly extends: readonly { readonly pack: string; readonly source: RuleSource }[];
  readonly mapping: RuleFileSettings['priority_mapping'];
  readonly faults: readonly RuleFault[];
  readonly notes: readonly RuleNote[];
}

/** A fault at its place in a file; `under` is the place from which its path counts. */
export const placedFault = (
  { path, message, remedy }: RuleRemark,
  { name, line }: RuleSource,
  under: JsonPath = [],
): RuleFault => faultAt(name, line, [...under, ...path], message, remedy);

/** Checks every rule of a document against the one schema of rules; those with faults are left out. */
export function checkRules(name: string, { rules: drafts, faults, notes }: RuleDocument): ParsedFile {
  const checked = drafts.map((draft) => checkDraft(name, draft));
  return {
    rules: checked.flatMap(({ rule }) => rule ?? []),
    extends: [],
    mapping: {},
    faults: [...faults, ...checked.flatMap((one) => one.faults)],
    notes: [...notes, ...checked.flatMap((one) => one.notes)],
  };
}

/** The line of a fault is that of the nearest part that has one. */
function checkDraft(
  name: string,
  { value, path, lineOf, category }: RuleDraft,
): Pick<ParsedFile, 'faults' | 'notes'> & { readonly rule?: ParsedRule } {
  const near = (place: JsonPath): number | undefined => findNearestLine(lineOf, place);
  const own = toOwnRule(value);
  const parsed = ruleSchema().safeParse(own.value);
  const source = sourceAt(name, near(path));
  if (parsed.success)
    return {
      rule: { written: parsed.data, source, category, path, lineOf: near },
      faults: [],
      notes: own.notes.map((message) => ({ source, message })),
    };
  const faults = faultsOf(parsed.error, ruleSchema(), own.value).map((fault) =>
    placedFault(fault, sourceAt(name, near([...path, ...fault.path])), path),
  );
  return { faults: faults.toSorted((a, b) => (a.source.line ?? 0) - (b.source.line ?? 0)), notes: [] };
}
