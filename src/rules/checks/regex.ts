import type { Rule, RuleCheck, RuleRemark } from '../model/rule.ts';
import type { Check } from './check.ts';
import { looksInto, matchSubject, type Lookup } from './match-subject.ts';
import { compilePattern } from '../../base/pattern.ts';
import {
  CHOICE_KEYS,
  choiceOf,
  isRequiring,
  placeOf,
  patternFault,
  textsOf,
  wrongChoice,
  wrongPlace,
} from './settings.ts';

/** Requires or forbids a pattern in added lines, files or prose. */
export const REGEX: Check = {
  type: 'regex',
  keys: ['pattern', 'not_pattern', 'flags', 'keywords', 'require', 'mode', 'should_match', ...CHOICE_KEYS],
  reads: looksInto,
  lint: (check) => [
    ...wrongPattern(check, 'pattern', true),
    ...wrongPattern(check, 'not_pattern'),
    ...wrongChoice(check),
    ...wrongPlace(check),
  ],
  run: (check, rule, subject, { context }) => matchSubject(lookupOf(check, rule), subject, context),
};

function lookupOf(check: RuleCheck, rule: Rule): Lookup {
  const isRequired = isRequiring(check);
  const { file_patterns: files, exclude_patterns: without } = choiceOf(check, rule);
  const not = check['not_pattern'];
  return {
    on: placeOf(check, rule, isRequired ? 'file' : 'added_lines'),
    mode: isRequired ? 'require' : 'forbid',
    pattern: withFlags(check),
    ...(typeof not === 'string' ? { not_pattern: not } : {}),
    keywords: [...textsOf(check, 'keywords')],
    ...(files === undefined ? {} : { file_patterns: [...files] }),
    ...(without === undefined ? {} : { exclude_patterns: [...without] }),
  };
}

function withFlags(check: RuleCheck): string {
  const flags = typeof check['flags'] === 'string' ? check['flags'].replace(/[^is]/g, '') : '';
  return `${flags === '' ? '' : `(?${flags})`}${typeof check['pattern'] === 'string' ? check['pattern'] : ''}`;
}

function wrongPattern(check: RuleCheck, key: string, isNeeded = false): readonly RuleRemark[] {
  const value = check[key];
  if (value === undefined)
    return isNeeded ? patternFault(key, `${key} is missing: write a regular expression in single quotes`) : [];
  if (typeof value !== 'string') return patternFault(key, `${key} must be a text`);
  const made = compilePattern(value);
  if (!made.ok) return patternFault(key, made.why);
  return /\p{Cc}/u.test(value) ? patternFault(key, 'the pattern holds a control character') : [];
}
