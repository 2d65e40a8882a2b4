import { parse } from 'yaml';
import type { RuleFault } from '../../../src/project/config/rule-fault.ts';
import { LADDER, getRung } from '../../../src/rules/enforce/ladder.ts';
import { readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { writeYaml } from '../../../src/base/strict-yaml.ts';
import { isFacts, type Facts } from '../run-cases.ts';

/** What a rule file is refused for: the key of its first fault. */
export function loadError([fault]: readonly RuleFault[]): Facts {
  if (fault === undefined) return {};
  return {
    load_error: fault.message.startsWith('not valid YAML') ? 'yaml' : keyOf(fault.path),
    reason: fault.message,
    hint: fault.remedy.split(':')[0],
  };
}

const keyOf = (path: string): string | undefined =>
  path
    .split('.')
    .at(-1)
    ?.replace(/\[\d+\]$/, '');

/** Whether nothing but severities is wrong with a file. */
export const lacksSeverity = (faults: readonly RuleFault[]): boolean =>
  faults.length > 0 && faults.every(({ path }) => keyOf(path) === 'severity');

/** The file with a severity for every rule that has none, so that what else is wrong with it comes out. */
export function withSeverity(yaml: string): { readonly name: string; readonly text: string } {
  const read: unknown = parse(yaml);
  const filled = (rule: unknown): unknown => (isFacts(rule) ? { severity: 'MEDIUM', ...rule } : rule);
  const { rule, rules } = isFacts(read) ? read : {};
  const text = writeYaml(Array.isArray(rules) ? { rules: rules.map(filled) } : { rule: filled(rule) });
  return { name: '.andon/rules/row.yaml', text };
}

/** The rule that has just these keys, and something to look for. */
export async function onLadder(written: Facts): Promise<Facts> {
  const rule = { id: 'ROW', severity: 'HIGH', match: { pattern: 'x' }, ...written };
  const { rules, faults } = await readRulebook([{ name: '.andon/rules/row.yaml', text: writeYaml({ rule }) }]);
  const read = rules[0]?.rule;
  if (read === undefined || faults.length > 0) return loadError(faults);
  const rung = getRung(read.priority, LADDER);
  return {
    accepted_as: read.severity,
    priority: read.priority,
    action: read.handler,
    notify_human: rung.notify_human,
    rollback: rung.rollback,
    iteration_penalty: rung.iteration_penalty,
  };
}
