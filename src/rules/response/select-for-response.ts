import type { Rule, Rulebook } from '../../rule-model/rule.ts';
import { isRelevant } from '../relevance.ts';

/** What decides which rules a response is held against; who says that a scenario is in force says that it is met. */
export interface ResponseSelection {
  /** What was asked; undefined where nobody says, and then every condition may be met. */
  readonly query: string | undefined;
  readonly alwaysEnforceGlobal: boolean;
}

/** The rules of a book whose condition is met by what was asked, the hard constraints of everywhere always, and why others are left out. */
export function selectForResponse(
  rules: Rulebook['rules'],
  selection: ResponseSelection,
): { readonly kept: Rulebook['rules']; readonly left: readonly { readonly rule: Rule; readonly why: string }[] } {
  const left = rules.flatMap(({ rule }) => {
    const why = whyNot(rule, selection);
    return why === undefined ? [] : [{ rule, why }];
  });
  const out = new Set(left.map(({ rule }) => rule));
  return { kept: rules.filter(({ rule }) => !out.has(rule)), left };
}

function whyNot(rule: Rule, { query, alwaysEnforceGlobal }: ResponseSelection): string | undefined {
  if (alwaysEnforceGlobal && rule.is_hard_constraint && rule.scope === 'GLOBAL') return undefined;
  if (rule.condition_text === undefined || query === undefined || query.trim() === '') return undefined;
  if (rule.scope !== 'GLOBAL' && rule.scope_id !== undefined) return undefined; // whether it is in force is asked with every rule
  return isRelevant(rule, query) ? undefined : 'its condition_text is not met by what was asked';
}

/** What the rules that matched tell who answers: the text of each that says what to do. */
export const instructionsOf = (rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ id, action_text: action }) =>
    action === undefined || action.trim() === '' ? [] : [`${id}: ${action.trim()}`],
  );
