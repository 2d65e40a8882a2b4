import type { JsonPath } from '../../base/fault.ts';
import type { Rule, RuleRemark } from '../model/rule.ts';
import type { Check } from './check.ts';
import { compilePattern } from '../../base/pattern.ts';
import { COMMAND } from './command.ts';
import { DIFF_EVIDENCE } from './diff-evidence.ts';
import { FILE_PRESENCE } from './file-presence.ts';
import { FORBIDDEN_IMPORT } from './forbidden-import.ts';
import { METRIC } from './metric.ts';
import { PLAN } from './plan.ts';
import { REGEX } from './regex.ts';
import { SCOPE } from './scope.ts';
import { SECRETS } from './secrets.ts';
import { SYNTAX } from './syntax.ts';
import { patternFault, settingFault, wrongGlobs } from './settings.ts';

export const CHECKS: readonly Check[] = [
  PLAN,
  SECRETS,
  REGEX,
  METRIC,
  DIFF_EVIDENCE,
  FILE_PRESENCE,
  FORBIDDEN_IMPORT,
  SCOPE,
  SYNTAX,
  COMMAND,
];

/** The check of a type, also in rulebound's spelling (`file-exists`). */
export function checkOf(type: string): Check | undefined {
  return BY_TYPE.get(type === 'file-exists' ? 'file_presence' : type.replaceAll('-', '_'));
}

/** Everything that is wrong with what a rule looks for and with the settings of its checks. */
export function lintChecks(rule: Rule): readonly RuleRemark[] {
  return [
    ...below(['match'], lintMatch(rule.match)),
    ...rule.checks.flatMap((check, at) => below(['checks', at], lintOne(rule, check))),
  ];
}

const below = (path: JsonPath, faults: readonly RuleRemark[]): readonly RuleRemark[] =>
  faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));

function lintMatch(match: Rule['match']): readonly RuleRemark[] {
  if (match === undefined) return [];
  const patterns = (['pattern', 'not_pattern'] as const).flatMap((key) => {
    const made = match[key] === undefined ? undefined : compilePattern(match[key]);
    return made?.ok === false ? patternFault(key, made.why) : [];
  });
  const globs = ['file_patterns', 'exclude_patterns'].flatMap((key) => wrongGlobs({ ...match, type: 'match' }, key));
  return [...patterns, ...globs];
}

function lintOne(rule: Rule, check: Rule['checks'][number]): readonly RuleRemark[] {
  const faults = checkOf(check.type)?.lint(check, rule);
  if (faults !== undefined) return faults;
  const known = CHECKS.map(({ type }) => type).join(', ');
  return settingFault('type', `andon knows no check of the type ${JSON.stringify(check.type)}; known: ${known}`);
}

const BY_TYPE: ReadonlyMap<string, Check> = new Map(CHECKS.map((check) => [check.type, check]));
