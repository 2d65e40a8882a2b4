import { isObject } from '../../../base/json-object.ts';
import { createUsageError } from '../../../base/problem.ts';
import { readYaml } from '../../../base/strict-yaml.ts';
import type { PlacedRule, Rule } from '../../model/rule.ts';
import { readRulebook } from '../../load/read-rulebook.ts';
import { register, type Registration } from '../../load/register.ts';

/** The most bytes of one rule, and the most rules of one session. */
const MOST_BYTES = 64 * 1024;
const MOST_RULES = 100;

/**
 * Takes a rule from outside into `session`: read and tried like a rule of the project, but never a hard constraint, never a
 * command, and never in the place of one of the project's own.
 */
export async function takeRule(
  written: unknown,
  project: readonly PlacedRule[],
  session: Map<string, PlacedRule>,
): Promise<{ readonly rule: Rule; readonly outcome: Registration['kind']; readonly notes: readonly string[] }> {
  const text = textOf(written);
  const { rules, faults, notes } = await readRulebook([{ name: NAME, text }]);
  const [fault] = faults;
  if (fault !== undefined) {
    const line = fault.source.line === undefined ? '' : `line ${fault.source.line}: `;
    throw createUsageError(`rule not taken: ${line}${fault.path}: ${fault.message}`, fault.remedy);
  }
  const [placed] = rules;
  if (placed === undefined || rules.length > 1)
    throw createUsageError('rule not taken: expected exactly one rule', 'register one after the other');
  const { rule } = placed;
  refuse(rule);
  if (project.some((own) => own.rule.id === rule.id))
    throw createUsageError(`rule not taken: ${rule.id} is a rule of the project`, 'give it another id');
  const outcome = register(session.get(rule.id)?.rule, rule);
  if (outcome.kind === 'refused') throw createUsageError(`rule not taken: ${outcome.why}`, outcome.remedy);
  if (outcome.kind === 'added' && session.size >= MOST_RULES)
    throw createUsageError(`rule not taken: ${MOST_RULES} rules are registered`, 'put it into .andon/rules/');
  if (outcome.kind !== 'kept') session.set(rule.id, { rule, source: { name: NAME } });
  return { rule, outcome: outcome.kind, notes: notes.map(({ message }) => message) };
}

const NAME = 'registered';

/** The rule as file text, so that faults have line numbers: text unchanged, an object as indented JSON. */
function textOf(written: unknown): string {
  const isText = typeof written === 'string';
  if (!isText && !isObject(written))
    throw createUsageError('rule is missing: register takes a rule', 'give the rule as an object');
  const text = isText ? written : JSON.stringify({ rule: written }, null, 2);
  if (new TextEncoder().encode(text).length > MOST_BYTES)
    throw createUsageError(`rule not taken: more than ${MOST_BYTES / 1024} kB`, 'make it shorter');
  const read = readYaml(text, MOST_BYTES);
  const value = read.ok ? read.value.value : undefined;
  if (isObject(value) && ('extends' in value || 'priority_mapping' in value))
    throw createUsageError('rule not taken: only a rule can be registered', 'leave extends and mappings out');
  return text;
}

function refuse(rule: Rule): void {
  if (rule.is_hard_constraint)
    throw createUsageError('rule not taken: is_hard_constraint', 'hard constraints are files of the project');
  if (rule.checks.some(({ type }) => type.trim().toLowerCase() === 'command'))
    throw createUsageError('rule not taken: a check of the type command', 'commands are files of the project');
}
