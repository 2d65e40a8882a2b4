import { readYaml } from '../../base/strict-yaml.ts';
import {
  idFrom,
  unreadable,
  type RuleDialect,
  type RuleFileText,
  type RuleDocument,
  type RuleDraft,
} from '../dialects/dialect.ts';
import { faultAt, sourceAt, type RuleFault, type RuleSource } from '../../project/config/rule-fault.ts';
import {
  type RuleNote,
  type RuleRemark,
  ruleSchema,
  type WrittenRule,
  handlerWord,
  penaltySchema,
  ruleLine,
} from '../model/rule.ts';
import { faultsOf } from './rule-faults.ts';
import { agentInstructions } from '../dialects/agent-instructions.ts';
import { gitleaks } from '../dialects/gitleaks.ts';
import { ruleboundMarkdown } from '../dialects/rulebound-markdown.ts';
import { findNearestLine, type JsonPath } from '../../base/fault.ts';
import { z } from 'zod';
import { isObject } from '../../base/json-object.ts';
import { lazy } from '../../base/lazy.ts';
import type { RuleSeverity } from '../model/rule-words.ts';

/** Whether a file of this name holds rules: in andon's own format (YAML or JSON) or in a foreign dialect. */
export const holdsRules = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name) || dialectOf(name) !== undefined;

export const RULE_ENDINGS = '.yaml, .json, .md, .mdc or .toml';

const dialectOf = (name: string): RuleDialect | undefined =>
  RULE_DIALECTS.find((dialect) => dialect.matches(name.split('/').at(-1) ?? name));

export function parseRuleFile(file: RuleFileText): ParsedFile {
  const dialect = dialectOf(file.name);
  return dialect === undefined ? parseOwn(file) : checkRules(file.name, dialect.convert(file));
}

/** Reads a file in andon's own format: `rules:`, `extends:` and `priority_mapping:` in YAML or JSON. */
function parseOwn({ name, text }: RuleFileText): ParsedFile {
  const read = readYaml(text);
  if (!read.ok) {
    const { line, path, message, remedy } = read.why;
    return checkRules(name, unreadable(name, line, path, message, remedy));
  }
  const document = read.value;
  const { rules, settings, note } = listRules(document.value);
  if (settings === undefined) {
    const found = document.value === null ? 'nothing' : 'a single value';
    return checkRules(name, unreadable(name, 1, [], `found ${found}`, REMEDY));
  }
  const parsed = ruleFileSchema().safeParse(settings);
  const faults = parsed.success
    ? []
    : faultsOf(parsed.error, ruleFileSchema(), settings).map((fault) =>
        placedFault(fault, sourceAt(name, document.lineOf(fault.path) ?? 1)),
      );
  // A file without rules is a mistake, unless it extends packs or maps priorities.
  const isEmpty =
    rules.length === 0 && !['rules', 'rule', 'extends', 'priority_mapping'].some((key) => key in settings);
  const { extends: packs, priority_mapping: mapping } = parsed.success ? parsed.data : NO_SETTINGS;
  const checked = checkRules(name, {
    rules: rules.map((rule) => ({ ...rule, lineOf: document.lineOf, category: 'general' })),
    faults: [...faults, ...(isEmpty ? [faultAt(name, 1, [], 'there are no rules in this file', REMEDY)] : [])],
    notes: note === undefined ? [] : [{ source: sourceAt(name, 1), message: note }],
  });
  const source = sourceAt(name, document.lineOf(['extends']));
  return { ...checked, mapping, extends: packs.map((pack) => ({ pack, source })) };
}

const NO_SETTINGS = { extends: [], priority_mapping: {} };
const REMEDY = 'write `rules:` and a list of rules';

/** Every foreign dialect of rules; the first that matches a name reads the file. */
export const RULE_DIALECTS: readonly RuleDialect[] = [gitleaks, agentInstructions, ruleboundMarkdown];

export interface ParsedRule {
  readonly written: WrittenRule;
  readonly source: RuleSource;
  /** The category when the rule names none. */
  readonly category: string;
  /** Puts a fault of the rule at its place in the file. */
  readonly place: (fault: RuleRemark) => RuleFault;
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
  const sourceOf = (at: JsonPath): RuleSource => sourceAt(name, findNearestLine(lineOf, at));
  const place = (fault: RuleRemark): RuleFault => placedFault(fault, sourceOf([...path, ...fault.path]), path);
  const own = toOwnRule(value);
  const parsed = ruleSchema().safeParse(own.value);
  const source = sourceOf(path);
  if (parsed.success)
    return {
      rule: { written: parsed.data, source, category, place },
      faults: [],
      notes: own.notes.map((message) => ({ source, message })),
    };
  const faults = faultsOf(parsed.error, ruleSchema(), own.value).map(place);
  return { faults: faults.toSorted((a, b) => (a.source.line ?? 0) - (b.source.line ?? 0)), notes: [] };
}

/** The rules of a document, each with its path, and what was read differently from how it is written. */
interface ListedRules {
  readonly rules: readonly { readonly value: unknown; readonly path: JsonPath }[];
  /** The keys of the file; undefined where the document is no map of keys. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  readonly note: string | undefined;
}

/** Lists the rules of a document: under `rules:`, or in an older shape (a bare list, one rule by itself, `rule:`). */
export function listRules(value: unknown): ListedRules {
  if (Array.isArray(value))
    return { rules: numbered(value, []), settings: { rules: [] }, note: 'a bare list is read as `rules:`' };
  if (!isObject(value)) return { rules: [], settings: undefined, note: undefined };
  const { rules, rule } = value;
  if (!('rules' in value || 'rule' in value) && ('id' in value || 'name' in value))
    return { rules: [{ value, path: [] }], settings: { rules: [] }, note: 'a rule by itself is read as `rule:`' };
  const single = isObject(rule) ? [{ value: rule, path: ['rule'] }] : [];
  return {
    rules: [...single, ...(Array.isArray(rules) ? numbered(rules, ['rules']) : [])],
    settings: value,
    note: single.length === 0 ? undefined : '`rule:` is read as a list of one',
  };
}

const numbered = (values: readonly unknown[], under: JsonPath): ListedRules['rules'] =>
  values.map((value, at) => ({ value, path: [...under, at] }));

/** A rule in the keys of `andon.rules/v1`, and a note on each key that was written in another way. */
interface OwnRule {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/** Converts older and foreign keys of one rule: the names of rulebound and of policies. Other keys stay unchanged. */
export function toOwnRule(written: unknown): OwnRule {
  if (!isObject(written)) return { value: written, notes: [] };
  const notes: string[] = [];
  const { name, description, ...rest } = completePolicy(written, notes);
  const id = String(rest['id']);
  const value = {
    ...rest,
    ...filled('title', rest['title'] ?? name),
    ...filled('content', rest['content'] ?? description),
    ...filled('severity', ownSeverity(id, rest['severity'], notes)),
    ...filled('scope', ownScope(id, rest['scope'], notes)),
    ...filled('quick_fix', ownQuickFix(rest)),
  };
  return { value, notes };
}

const filled = (key: string, value: unknown): object => (value === undefined ? {} : { [key]: value });

/**
 * A policy (`when X, then Y`) has a name and may be a hard constraint; it may have neither id nor severity. The id is made
 * of the name; a hard one is HIGH, another MEDIUM.
 */
function completePolicy(written: Fields, notes: string[]): Fields {
  const { name, enforcement_expression: expression, ...rest } = written;
  if (typeof name !== 'string' || !('action_text' in written || 'enforcement_expression' in written)) return written;
  const id = idFrom(name);
  const isHard = written['is_hard_constraint'] === true;
  const hasNoId = written['id'] === undefined && /[A-Za-z0-9]/.test(name);
  const hasNoSeverity = written['severity'] === undefined;
  if (hasNoId) notes.push(`${id}: the id is made of the name`);
  if (hasNoSeverity)
    notes.push(`${id}: no severity is named: ${isHard ? 'a hard constraint is read as HIGH' : 'read as MEDIUM'}`);
  return {
    ...(hasNoId ? { id } : {}),
    name,
    ...rest,
    ...(expression === null ? {} : filled('enforcement_expression', expression)),
    ...(hasNoSeverity ? { severity: isHard ? 'HIGH' : 'MEDIUM' } : {}),
  };
}

const SEVERITIES: Readonly<Record<string, RuleSeverity>> = { ERROR: 'HIGH', WARNING: 'MEDIUM', INFO: 'LOW' };

function ownSeverity(id: string, severity: unknown, notes: string[]): unknown {
  const word = typeof severity === 'string' ? severity.trim().toUpperCase() : '';
  const own = SEVERITIES[word];
  if (own === undefined) return severity;
  notes.push(`${id}: severity ${word.toLowerCase()} is read as ${own}`);
  return own;
}

/** `all`, or a list: `[all]` means everywhere; other names are parts of another tool's project. */
function ownScope(id: string, scope: unknown, notes: string[]): unknown {
  if (typeof scope === 'string' && scope.trim().toUpperCase() === 'ALL') return 'GLOBAL';
  if (!Array.isArray(scope) || !scope.every((name) => typeof name === 'string')) return scope;
  const isEverywhere = scope.every((name) => /^(?:all|global)$/i.test(name));
  const further = isEverywhere ? '' : '; narrow it with `stack`, `agents` or file patterns';
  notes.push(`${id}: scope [${scope.join(', ')}] is read as GLOBAL${further}`);
  return 'GLOBAL';
}

/** `quick_fix_type` and `max_fixes` of the metadata. */
function ownQuickFix({ quick_fix: fix, metadata }: Fields): unknown {
  const { quick_fix_type: type, max_fixes: most } = isObject(metadata) ? metadata : {};
  if (typeof type !== 'string' || (fix !== undefined && !isObject(fix))) return fix;
  const isCount = typeof most === 'number' && Number.isInteger(most) && most > 0;
  return { type, ...(isCount ? { max_fixes: most } : {}), ...fix };
}

type Fields = Readonly<Record<string, unknown>>;

/** What one priority does, as a project may set it (`priority_mapping`). */
const mappingSchema = lazy(() =>
  z.strictObject({
    action: handlerWord().optional(),
    notify_human: z.boolean().optional(),
    rollback: z.boolean().optional(),
    iteration_penalty: penaltySchema().optional(),
  }),
);
export type PriorityMapping = z.output<ReturnType<typeof mappingSchema>>;

/** A rule file; its rules are checked one by one. */
const ruleFileSchema = lazy(() =>
  z.strictObject({
    $schema: z.string().optional().describe('for editors'),
    schema: z.literal('andon.rules/v1').optional().describe('andon.rules/v1'),
    extends: z
      .union([z.array(ruleLine()).max(20), ruleLine()])
      .transform((written) => [written].flat())
      .default([])
      .describe('packs that are shipped with andon'),
    priority_mapping: z
      .strictObject({
        P0: mappingSchema().optional(),
        P1: mappingSchema().optional(),
        P2: mappingSchema().optional(),
        P3: mappingSchema().optional(),
      })
      .default({})
      .describe('what priorities do, where it is not the usual'),
    rules: z.array(z.unknown()).optional().describe('a list of rules'),
    rule: z.record(z.string(), z.unknown()).optional().describe('one rule below it, indented'),
  }),
);
type RuleFileSettings = z.output<ReturnType<typeof ruleFileSchema>>;

export const ruleFileJsonSchema = (): object => ({
  title: 'Rules of andon',
  description: 'A file below .andon/rules/, in YAML or JSON.',
  ...z.toJSONSchema(
    ruleFileSchema().extend({
      rules: z.array(ruleSchema()).optional().describe('a list of rules'),
      rule: ruleSchema().optional().describe('a single rule'),
    }),
    { io: 'input' },
  ),
});
