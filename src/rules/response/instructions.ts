import type { InspectionContext } from '../../rule-model/inspection.ts';
import type { Rule } from '../../rule-model/rule.ts';
import { RULE_SEVERITIES } from '../../rule-model/rule-words.ts';
import { isRelevant } from '../relevance.ts';
import { selectRules } from '../select.ts';

/** What a rule tells whoever answers. */
export interface Instruction {
  readonly rule: string;
  readonly says: string;
}

/**
 * What the rules that matched tell whoever answers now (`action_text`): those of his phase whose condition the task meets,
 * the hard ones first. A hard constraint whose condition is not met is enforced on the answer all the same, and told nobody.
 */
export function instructionsFor(rules: readonly Rule[], context: InspectionContext): readonly Instruction[] {
  const { kept } = selectRules(rules, { files: [] }, context);
  return kept
    .filter((rule) => isMet(rule, context))
    .toSorted((one, other) => weightOf(one) - weightOf(other))
    .flatMap(({ id, action_text: action = '' }) => (action.trim() === '' ? [] : [{ rule: id, says: action.trim() }]));
}

/** What is in force by a name needs no further condition; a rule without one is meant for every answer. */
function isMet(rule: Rule, { task = '' }: InspectionContext): boolean {
  const isNamed = rule.scope !== 'GLOBAL' && rule.scope_id !== undefined;
  return rule.condition_text === undefined || isNamed || task.trim() === '' || isRelevant(rule, task);
}

const weightOf = ({ severity, is_hard_constraint: isHard }: Rule): number =>
  RULE_SEVERITIES.indexOf(severity) - (isHard ? RULE_SEVERITIES.length : 0);
