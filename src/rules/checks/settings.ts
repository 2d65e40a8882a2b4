import type { Rule, RuleCheck, RuleRemark } from '../model/rule.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';
import type { JsonPath } from '../../base/fault.ts';
import { PLACES, type RulePlace } from '../model/rule-words.ts';
import type { FileChoice } from './search-targets.ts';

/** A fault of a check's settings; its path begins at the check. */
export const settingFault = (
  path: string | JsonPath,
  message: string,
  remedy = 'correct it',
): readonly RuleRemark[] => [{ path: [path].flat(), message, remedy }];

export const patternFault = (key: string, message: string): readonly RuleRemark[] =>
  settingFault(key, message, 'RE2 syntax, in single quotes; for look-around use `not_pattern` or `mode: require`');

/** The settings of every check that looks into chosen files. */
export const CHOICE_KEYS = ['on', 'file_patterns', 'files', 'include', 'exclude_patterns', 'exclude'];

/** The globs of a setting that is one text or a list of them. */
export function textsOf(check: RuleCheck, ...keys: readonly string[]): readonly string[] {
  for (const key of keys) {
    const value = check[key];
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  }
  return [];
}

/** Which files a check is about: its own choice, else its rule's. */
export const choiceOf = (check: RuleCheck, rule: Rule): FileChoice => ({
  file_patterns: listFilePatterns(check) ?? rule.match?.file_patterns,
  exclude_patterns: [...textsOf(check, 'exclude_patterns', 'exclude'), ...(rule.match?.exclude_patterns ?? [])],
});

/** Where a check looks: in its own place, else its rule's. */
export const placeOf = (check: RuleCheck, rule: Rule, usual: RulePlace = 'added_lines'): RulePlace =>
  (check['on'] ?? rule.match?.on ?? usual) as RulePlace;

/** Whether a check wants a pattern to be there; it then speaks of whole files unless it says otherwise. */
export const isRequiring = (check: RuleCheck): boolean =>
  check['require'] === true || check['mode'] === 'require' || check['should_match'] === true;

export const wrongChoice = (check: RuleCheck): readonly RuleRemark[] =>
  CHOICE_KEYS.slice(1).flatMap((key) => wrongGlobs(check, key));

/** Faults of one setting that holds globs. */
export function wrongGlobs(check: RuleCheck, key: string, isNeeded = false): readonly RuleRemark[] {
  const value = check[key];
  if (value === undefined)
    return isNeeded ? settingFault(key, `${key} is missing: name a glob, or a list of them`) : [];
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (listed.length === 0) return settingFault(key, `${key} is empty: name a glob`);
  return listed.flatMap((glob, at) => {
    const fault = typeof glob === 'string' ? checkGlobPattern(glob) : 'This is no text: write a glob.';
    return fault === undefined ? [] : settingFault(Array.isArray(value) ? [key, at] : key, fault);
  });
}

export function wrongPlace(check: RuleCheck): readonly RuleRemark[] {
  const on = check['on'];
  return on === undefined || (PLACES as readonly unknown[]).includes(on)
    ? []
    : settingFault('on', `on must be one of: ${PLACES.join(', ')}`);
}

export function wrongNumber(check: RuleCheck, key: string, least = 1): readonly RuleRemark[] {
  const value = check[key];
  const isFine = value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= least);
  return isFine ? [] : settingFault(key, `${key} must be a whole number from ${least} on`);
}

export function listFilePatterns(check: RuleCheck): readonly string[] | undefined {
  const globs = textsOf(check, 'file_patterns', 'files', 'include');
  return globs.length === 0 ? undefined : globs;
}
