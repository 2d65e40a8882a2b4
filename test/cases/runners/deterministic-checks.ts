import { matchesGlobs } from '../../../src/base/path-globs.ts';
import type { Rule, RuleCheck } from '../../../src/rule-model/rule.ts';
import { govern } from '../../../src/rules/govern.ts';
import { NO_SUPPRESSIONS } from '../../../src/rules/enforce/suppress.ts';
import { CONTEXT, aFile, aRule, aSubject } from '../../support/rules.ts';
import type { Facts, Runner } from '../run-cases.ts';

/** One check of a rule on files that a row describes; the modality follows from the row's severity. */
export const deterministicChecks: Runner = ({ input }) => {
  if (typeof input['glob'] === 'string') return { match: matchesGlobs(String(input['path']), [input['glob']]) };
  return checked(input);
};

async function checked(input: Facts): Promise<Facts> {
  const { text, changed, severity, flag: _, ...settings } = input;
  const check = { type: 'diff-evidence', ...settings } as RuleCheck;
  const paths = Array.isArray(changed) ? changed.map(String) : ['example.txt'];
  const subject = aSubject(
    paths.map((path) => aFile(path, typeof text === 'string' ? text : 'x')),
    { project: paths },
  );
  const rule: Rule =
    severity === 'warning'
      ? aRule({ checks: [check], severity: 'MEDIUM', priority: 'P2', modality: 'SHOULD', handler: 'LOG_ONLY' })
      : aRule({ checks: [check] });
  const rulebook = { rules: [{ rule, source: { name: 'the row' } }], faults: [], notes: [] };
  const { exit, results, findings } = await govern(rulebook, subject, CONTEXT, ENFORCEMENT);
  const statuses = results.map(({ status }) => status);
  const failed = findings.length > 0;
  return {
    exit,
    blocking: exit !== 0,
    status: !failed ? 'PASSED' : exit === 0 ? 'PASSED_WITH_WARNINGS' : 'FAILED',
    not_applicable: statuses.filter((status) => status === 'NOT_APPLICABLE').length,
  };
}

const ENFORCEMENT = {
  surface: 'ci',
  mode: 'moderate',
  threshold: 0,
  suppressions: NO_SUPPRESSIONS,
  subject: 'the row',
} as const;
