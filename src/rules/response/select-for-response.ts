import type { InspectionContext } from '../model/inspection.ts';
import type { Rule, Rulebook } from '../model/rule.ts';
import { RULE_SEVERITIES } from '../model/rule-words.ts';
import { isAlways, isNamedScope, isRelevant, selectRules } from '../select-rules.ts';

/** Selects the rules for a response; a scenario that the caller names counts as met. */
export interface ResponseSelection {
  /** The question; undefined if unknown, and then every condition may be met. */
  readonly query: string | undefined;
  readonly alwaysEnforceGlobal: boolean;
}

/** The rules of a book whose condition is met by what was asked, the hard constraints of everywhere always, and why others are left out. */
export function selectForResponse(
  rules: Rulebook['rules'],
  selection: ResponseSelection,
): { readonly kept: Rulebook['rules']; readonly left: readonly { readonly rule: Rule; readonly why: string }[] } {
  const left = rules.flatMap(({ rule }) => {
    const why =
      (selection.alwaysEnforceGlobal && isAlways(rule)) || isMet(rule, selection.query)
        ? undefined
        : 'its condition_text is not met by what was asked';
    return why === undefined ? [] : [{ rule, why }];
  });
  const out = new Set(left.map(({ rule }) => rule));
  return { kept: rules.filter(({ rule }) => !out.has(rule)), left };
}

/** What is in force by a name needs no further condition, for that is asked with every rule; a rule without one is meant for every answer. */
function isMet(rule: Rule, request = ''): boolean {
  return rule.condition_text === undefined || isNamedScope(rule) || request.trim() === '' || isRelevant(rule, request);
}

export interface Instruction {
  readonly rule: string;
  readonly says: string;
}

/**
 * The instructions of the matching rules (`action_text`): those of his phase whose condition the task meets,
 * the hard ones first. A hard constraint whose condition is not met is enforced on the answer all the same, without an instruction.
 */
export function selectInstructions(rules: readonly Rule[], context: InspectionContext): readonly Instruction[] {
  const met = selectRules(rules, { files: [] }, context).kept.filter((rule) => isMet(rule, context.task));
  return toldBy(met.toSorted((one, other) => weightOf(one) - weightOf(other)));
}

const weightOf = ({ severity, is_hard_constraint: isHard }: Rule): number =>
  RULE_SEVERITIES.indexOf(severity) - (isHard ? RULE_SEVERITIES.length : 0);

/** What the rules that matched tell who answers: the text of each that says what to do. */
export const listRuleInstructions = (rules: readonly Rule[]): readonly string[] =>
  toldBy(rules).map(({ rule, says }) => `${rule}: ${says}`);

const toldBy = (rules: readonly Rule[]): readonly Instruction[] =>
  rules.flatMap(({ id, action_text: action = '' }) =>
    action.trim() === '' ? [] : [{ rule: id, says: action.trim() }],
  );
