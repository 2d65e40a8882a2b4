import { listNames } from '../base/list-names.ts';
import type { Inspection } from '../rule-model/inspection.ts';
import type { Rule } from '../rule-model/rule.ts';
import { impliesPlan } from '../rules/checks/plan.ts';

/** Lists prose rules that no changed line was checked against, so that a pass claims nothing about them. */
export function listProseOnly(rules: readonly Rule[], { results }: Pick<Inspection, 'results'>): readonly string[] {
  const unlooked = new Set(results.filter(({ status }) => status === 'NOT_APPLICABLE').map(({ rule }) => rule));
  const left = rules.filter((rule) => unlooked.has(rule.id) && impliesPlan(rule)).map(({ id }) => id);
  if (left.length === 0) return [];
  return [
    `${left.length === 1 ? '1 rule is' : `${left.length} rules are`} prose that no line of a change was checked against: ${listNames(left)}; a \`match\` or a check does, andon check --plan holds plans against ${left.length === 1 ? 'it' : 'them'}`,
  ];
}
