import type { Rule } from '../../../src/formats/rule.ts';
import { LADDER } from '../../../src/governance/ladder.ts';
import { normalise } from '../../../src/governance/load/normalise.ts';
import { parseRule } from '../../../src/governance/load/parsed-file.ts';
import type { Facts } from '../run-cases.ts';

/** A rule as a row gives it; what a row leaves out is filled in with what no row asks about. */
export function ruleFrom(given: Facts): Rule {
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const value = { id: 'ROW', severity: 'MEDIUM', ...named };
  const { rule, faults } = parseRule({ value, name: 'row', path: [], lineOf: () => undefined, category: 'general' });
  if (rule === undefined)
    throw new Error(`the row's rule cannot be read: ${faults.map(({ message }) => message).join('; ')}`);
  return normalise(rule.written, LADDER, rule.category).rule;
}
