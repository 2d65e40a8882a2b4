import type { Rule } from '../../../src/rules/model/rule.ts';
import { LADDER } from '../../../src/rules/enforce/ladder.ts';
import { normalise } from '../../../src/rules/load/read-rulebook.ts';
import { checkRules } from '../../../src/rules/load/parse-rule-file.ts';
import type { Facts } from '../run-cases.ts';

/** A rule as a row gives it; what a row leaves out is filled in with what no row asks about. */
export function ruleFrom(given: Facts): Rule {
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const value = { id: 'ROW', severity: 'MEDIUM', ...named };
  const draft = { value, path: [], lineOf: () => undefined, category: 'general' };
  const {
    rules: [rule],
    faults,
  } = checkRules('row', { rules: [draft], faults: [], notes: [] });
  if (rule === undefined)
    throw new Error(`the row's rule cannot be read: ${faults.map(({ message }) => message).join('; ')}`);
  return normalise(rule.written, LADDER, rule.category);
}
