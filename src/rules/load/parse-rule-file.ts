import type { JsonDocument } from '../../base/json.ts';
import { readYaml } from '../../base/strict-yaml.ts';
import { faultAt, sourceAt, unreadable, type RuleDialect, type RuleFileText } from '../../compat/dialect.ts';
import { listRules } from '../../compat/older-rules.ts';
import { RULE_DIALECTS } from '../../compat/rule-dialects.ts';
import type { RuleNote } from '../../rule-model/rule.ts';
import { checkRules, placedFault, type ParsedFile } from './parsed-file.ts';
import { faultsOf } from './rule-faults.ts';
import { ruleFileSchema, type PriorityMapping } from './rule-file.ts';

/** Whether a file of this name holds rules: in andon's own format (YAML or JSON) or in a foreign dialect. */
export const holdsRules = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name) || dialectOf(name) !== undefined;

const dialectOf = (name: string): RuleDialect | undefined =>
  RULE_DIALECTS.find((dialect) => dialect.matches(name.split('/').at(-1) ?? name));

/** Reads one file in the format that its name says. */
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
    rules: rules.map((rule) => ({ ...rule, lineOf: (path) => document.lineOf(path), category: 'general' })),
    faults: [...faults, ...(isEmpty ? [faultAt(name, 1, [], 'there are no rules in this file', REMEDY)] : [])],
    notes: [
      ...(note === undefined ? [] : [{ source: sourceAt(name, 1), message: note }]),
      ...idleMappings(name, document, mapping),
    ],
  });
  const source = sourceAt(name, document.lineOf(['extends']));
  return { ...checked, mapping, extends: packs.map((pack) => ({ pack, source })) };
}

const NO_SETTINGS = { extends: [], priority_mapping: {} };
const REMEDY = 'write `rules:` and a list of rules';

/** The settings of a mapping of priorities that have no effect. */
function idleMappings(
  name: string,
  document: JsonDocument,
  mapping: Readonly<Record<string, PriorityMapping | undefined>>,
): RuleNote[] {
  return Object.entries(mapping).flatMap(([priority, part = {}]) =>
    idleSettings(priority, part).map((message) => ({
      source: sourceAt(name, document.lineOf(['priority_mapping', priority])),
      message: `priority_mapping of ${priority}: ${message}`,
    })),
  );
}

/** P0 always stops the line and notifies a human; work is never repeated after a note or a reminder. */
function idleSettings(priority: string, { action, notify_human: notify, rollback }: PriorityMapping): string[] {
  const handler = priority === 'P0' ? 'TERMINATE' : (action ?? { P2: 'LOG_ONLY', P3: 'SOFT_HOOK' }[priority]);
  return [
    ...(priority === 'P0' && action !== undefined && action !== 'TERMINATE'
      ? [`action ${action} means nothing: P0 stops the line`]
      : []),
    ...(priority === 'P0' && notify === false ? ['notify_human means nothing: a halt is always told'] : []),
    ...(rollback === true && (handler === 'LOG_ONLY' || handler === 'SOFT_HOOK')
      ? [`rollback means nothing for ${handler}, after which nothing is done again`]
      : []),
  ];
}
