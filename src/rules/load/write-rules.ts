import { PHASES } from '../../rule-model/rule-words.ts';
import type { Rule } from '../../rule-model/rule.ts';
import { writeYaml } from '../../base/strict-yaml.ts';
import { usualPlace } from './normalise.ts';
import { LADDER } from '../enforce/ladder.ts';

/** Rules as the text of a rule file that reads back as the same rules; what follows from the ladder is left out. */
export const writeRules = (rules: readonly Rule[]): string =>
  writeYaml({ schema: 'andon.rules/v1', rules: rules.map(toWritten) });

/** A rule with every default written out, for a human to read. */
export const writeWhole = (rule: Rule): string => writeYaml(rule);

function toWritten(rule: Rule): object {
  const rung = LADDER[rule.severity];
  const defaults: Partial<Record<keyof Rule, unknown>> = {
    priority: rung.priority,
    modality: rung.modality,
    handler: rung.handler,
    scope: 'GLOBAL',
    is_hard_constraint: false,
    on_missing: 'not_applicable',
    message: rule.title,
    waivable: rule.priority !== 'P0',
    phase: PHASES,
  };
  const entries = Object.entries(rule).filter(
    ([key, value]) => !isEmpty(value) && JSON.stringify(value) !== JSON.stringify(defaults[key as keyof Rule]),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'match' ? writtenMatch(rule) : value]));
}

function writtenMatch(rule: Rule): object {
  if (rule.match === undefined) return {};
  const { on, mode, ...rest } = rule.match;
  return {
    ...(on === usualPlace(rule) ? {} : { on }),
    ...(mode === 'forbid' ? {} : { mode }),
    ...rest,
  };
}

/** Empty lists and maps, also a pair of empty lists. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isEmpty));
