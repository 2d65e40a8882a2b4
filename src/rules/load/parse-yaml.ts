import { jsonPath } from '../../base/fault.ts';
import type { JsonDocument } from '../../base/json.ts';
import { faultsOf } from './rule-faults.ts';
import { ruleFileSchema } from './rule-file.ts';
import type { MappingPart, RuleFile } from './rule-file.ts';
import type { RuleFault, RuleNote } from '../../rule-model/rule.ts';
import { readYaml } from './rule-yaml.ts';
import { idFrom } from './rule-names.ts';
import { NOTHING, parseRule, placedFault, sourceAt, unreadable } from './parsed-file.ts';
import type { ParsedFile, ParsedRule } from './parsed-file.ts';

/** Reads a rule file in YAML or JSON: `rules: […]`, the older single `rule:`, a bare list, or one rule by itself. */
export function parseYaml(name: string, text: string, maxBytes: number): ParsedFile {
  const read = readYaml(text, maxBytes);
  if (!read.ok) return unreadable(name, read.why.line, read.why.message, read.why.remedy, read.why.path);
  const { value } = read.value;
  if (Array.isArray(value)) {
    return noting(name, 'a bare list is read as `rules:`', fromList(name, read.value, value, []));
  }
  if (!isMap(value))
    return unreadable(
      name,
      1,
      `found ${value === null ? 'nothing' : 'a single value'}`,
      'write `rules:` and a list of rules',
    );
  if (('id' in value || 'name' in value) && !('rules' in value) && !('rule' in value))
    return noting(name, 'a rule by itself is read as `rule:`', fromList(name, read.value, [value], []));
  return fromMap(name, read.value, value);
}

/** What a file holds, with a word about how it was read. */
const noting = (name: string, message: string, parsed: ParsedFile): ParsedFile => ({
  ...parsed,
  notes: [{ source: sourceAt(name, 1), message }, ...parsed.notes],
});

function fromMap(name: string, document: JsonDocument, value: Record<string, unknown>): ParsedFile {
  const { rules, rule, ...rest } = value;
  const parsed = ruleFileSchema.safeParse(rest);
  const faults: RuleFault[] = parsed.success
    ? []
    : faultsOf(parsed.error, ruleFileSchema, rest).map((fault) =>
        placedFault(fault, sourceAt(name, document.lineOf(fault.path) ?? 1)),
      );
  const wrong = wrongList(name, document, value);
  if (wrong !== undefined) faults.push(wrong);
  const listed = Array.isArray(rules) ? fromList(name, document, rules, ['rules']) : NOTHING;
  const single = isMap(rule) ? fromList(name, document, [rule], ['rule']) : NOTHING;
  const settings: RuleFile = parsed.success ? parsed.data : {};
  const extended = settings.extends ?? [];
  return {
    rules: [...single.rules, ...listed.rules],
    extends: (typeof extended === 'string' ? [extended] : extended).map((pack) => ({
      pack,
      source: sourceAt(name, document.lineOf(['extends'])),
    })),
    mapping: settings.priority_mapping,
    faults: [...faults, ...single.faults, ...listed.faults],
    notes: [
      ...(isMap(rule)
        ? [{ source: sourceAt(name, document.lineOf(['rule'])), message: '`rule:` is read as a list of one' }]
        : []),
      ...single.notes,
      ...listed.notes,
      ...idleSettings(name, document, settings),
    ],
  };
}

/** What a mapping of priorities sets and nothing follows from. */
function idleSettings(name: string, document: JsonDocument, { priority_mapping: mapping }: RuleFile) {
  return Object.entries(mapping ?? {}).flatMap(([priority, part = {}]) =>
    idleOf(priority, part).map((message) => ({
      source: sourceAt(name, document.lineOf(['priority_mapping', priority])),
      message: `priority_mapping of ${priority}: ${message}`,
    })),
  );
}

/** P0 always stops the line and tells a human; after what is only told nothing is done again. */
function idleOf(priority: string, { action, notify_human: notify, rollback }: MappingPart): string[] {
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

/** A file without rules is a mistake, unless it extends packs or maps priorities. */
function wrongList(name: string, document: JsonDocument, value: Record<string, unknown>): RuleFault | undefined {
  for (const [key, is] of [
    ['rules', Array.isArray],
    ['rule', isMap],
  ] as const) {
    if (!(key in value) || is(value[key])) continue;
    const found = value[key] === null ? 'nothing' : 'something else';
    return {
      source: sourceAt(name, document.lineOf([key])),
      path: jsonPath([key]),
      message: `found ${found} under \`${key}:\`; expected ${key === 'rules' ? 'a list of rules' : 'one rule'}`,
      remedy: key === 'rules' ? 'add a rule, or write `rules: []`' : 'write the rule below it, indented',
    };
  }
  if (['rules', 'rule', 'extends', 'priority_mapping'].some((key) => key in value)) return undefined;
  return {
    source: sourceAt(name, 1),
    path: '$',
    message: 'there are no rules in this file',
    remedy: 'write `rules:` and a list of rules',
  };
}

function fromList(
  name: string,
  document: JsonDocument,
  values: readonly unknown[],
  under: readonly string[],
): ParsedFile {
  const rules: ParsedRule[] = [];
  const faults: RuleFault[] = [];
  const notes: RuleNote[] = [];
  const isSingle = under[0] === 'rule' || (under.length === 0 && !Array.isArray(document.value));
  for (const [at, value] of values.entries()) {
    const path = isSingle ? under : [...under, at];
    const policy = completePolicy(value);
    const parsed = parseRule({
      value: policy.value,
      name,
      path,
      lineOf: (part) => document.lineOf(part),
      category: 'general',
    });
    if (parsed.rule !== undefined) rules.push(parsed.rule);
    faults.push(...parsed.faults);
    notes.push(...policy.notes.map((message) => ({ source: sourceAt(name, document.lineOf(path)), message })));
  }
  return { ...NOTHING, rules, faults, notes };
}

/**
 * A policy (`when X, then Y`) is known by its name and by whether it is a hard constraint, and may name neither id nor
 * severity: the id is made of the name, a hard one is HIGH, another MEDIUM. Any other value is left as it is.
 */
function completePolicy(value: unknown): { readonly value: unknown; readonly notes: readonly string[] } {
  if (!isPolicy(value)) return { value, notes: [] };
  const { enforcement_expression: expression, ...rest } = value;
  const id = idFrom(value.name);
  const isHard = value['is_hard_constraint'] === true;
  const notes: string[] = [];
  const made: Record<string, unknown> = expression === null ? rest : { ...value };
  if (made['id'] === undefined && /[A-Za-z0-9]/.test(value.name)) {
    made['id'] = id;
    notes.push(`${id}: the id is made of the name`);
  }
  if (made['severity'] === undefined) {
    made['severity'] = isHard ? 'HIGH' : 'MEDIUM';
    notes.push(`${id}: no severity is named: ${isHard ? 'a hard constraint is read as HIGH' : 'read as MEDIUM'}`);
  }
  return { value: made, notes };
}

const isPolicy = (value: unknown): value is Record<string, unknown> & { readonly name: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  ('action_text' in value || 'enforcement_expression' in value);

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
