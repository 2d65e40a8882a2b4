import type { Rule, Rulebook } from '../rule-model/rule.ts';

/** The ids of the rules that apply to the question; undefined if undecided. */
export type FilterRules = (rules: readonly Rule[], query: string) => Promise<readonly string[] | undefined>;

/** Rules that are left out, and why. */
type LeftOut = readonly { readonly rule: Rule; readonly why: string }[];

/**
 * The second step of finding rules: of those that a condition brought in, a language model says which really apply. A
 * filter that fails leaves every rule in; what is always enforced, and what is in force by its name, is not asked about.
 */
export async function filterSelected(
  kept: Rulebook['rules'],
  query: string | undefined,
  alwaysEnforceGlobal: boolean,
  filter: FilterRules | undefined,
): Promise<{ readonly kept: Rulebook['rules']; readonly left: LeftOut; readonly failed: boolean }> {
  const asked = kept.map(({ rule }) => rule).filter((rule) => isAsked(rule, alwaysEnforceGlobal));
  if (filter === undefined || query === undefined || query.trim() === '' || asked.length === 0)
    return { kept, left: [], failed: false };
  const apply = await filter(asked, query);
  if (apply === undefined) return { kept, left: [], failed: true };
  const out = new Set(asked.filter(({ id }) => !apply.includes(id)));
  const why = 'the language model says that its condition_text is not met by what was asked';
  return {
    kept: kept.filter(({ rule }) => !out.has(rule)),
    left: [...out].map((rule) => ({ rule, why })),
    failed: false,
  };
}

function isAsked(rule: Rule, alwaysEnforceGlobal: boolean): boolean {
  const isAlways = alwaysEnforceGlobal && rule.is_hard_constraint && rule.scope === 'GLOBAL';
  const isNamed = rule.scope !== 'GLOBAL' && rule.scope_id !== undefined;
  return rule.condition_text !== undefined && !isAlways && !isNamed;
}
