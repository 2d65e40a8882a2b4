import { NO_SUPPRESSIONS } from '../../../src/rules/enforce/suppress.ts';
import { parse } from 'yaml';
import { matchesGlobs } from '../../../src/base/path-globs.ts';
import type { Rule, RuleCheck, Rulebook } from '../../../src/rules/model/rule.ts';
import { runRules } from '../../../src/rules/run-rules.ts';
import { readRulebook } from '../../../src/rules/load/read-rulebook.ts';
import { writeYaml } from '../../../src/base/strict-yaml.ts';
import { CONTEXT, aFile, aRule, aSubject } from '../../support/rules.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { textsOf } from '../shapes.ts';
import { onlyKnown } from './messages-of-rows.ts';

/** Settings of checks that rows name. */
const SETTINGS = ['type', 'pattern', 'path', 'require', 'when', 'run', 'timeout_ms', 'allow'];

/** One check of a rule on files that a row describes; the modality follows from the row's severity. */
export const deterministicChecks: Runner = async ({ input }) => {
  onlyKnown(input, [...SETTINGS, 'glob', 'text', 'file', 'changed', 'severity', 'flag', 'both', 'checks']);
  if (typeof input['glob'] === 'string') return { match: matchesGlobs(String(input['path']), [input['glob']]) };
  if (typeof input['checks'] === 'string') return checked(input, await written(input['checks']));
  if (input['both'] === true)
    return checked(input, bookOf([withCheck(MISSING, 'error'), withCheck(MISSING, 'warning')]));
  const settings = Object.fromEntries(Object.entries(input).filter(([key]) => SETTINGS.includes(key)));
  const check = { type: 'diff-evidence', ...settings } as RuleCheck;
  return checked(input, bookOf([withCheck(check, input['severity'])]));
};

/** A check that fails on every subject of these rows. */
const MISSING: RuleCheck = { type: 'file-exists', path: 'missing.md' };

const withCheck = (check: RuleCheck, severity: unknown): Rule =>
  severity === 'warning'
    ? aRule({ id: 'R-2', checks: [check], severity: 'MEDIUM', priority: 'P2', modality: 'SHOULD', handler: 'LOG_ONLY' })
    : aRule({ checks: [check] });

const bookOf = (rules: readonly Rule[]): Rulebook => ({
  rules: rules.map((rule) => ({ rule, source: { name: 'the row' } })),
  faults: [],
  notes: [],
});

/** A binding rule whose checks are given as YAML. */
const written = (checks: string): Promise<Rulebook> =>
  readRulebook([
    {
      name: '.andon/rules/row.yaml',
      text: writeYaml({ rule: { id: 'R-1', severity: 'HIGH', checks: parse(checks) as unknown } }),
    },
  ]);

async function checked(input: Facts, rulebook: Rulebook): Promise<Facts> {
  const { text, file } = input;
  const paths = textsOf(input, 'changed', [typeof file === 'string' ? file : 'example.txt']);
  const subject = aSubject(
    paths.map((path) => aFile(path, typeof text === 'string' ? text : 'x')),
    { project: paths },
  );
  const { exit, results, findings } = await runRules(
    { ...rulebook, suppressions: NO_SUPPRESSIONS },
    subject,
    CONTEXT,
    ENFORCEMENT,
  );
  const statuses = results.map(({ status }) => status);
  const failed = findings.length > 0;
  const [place] = findings;
  return {
    exit,
    blocking: exit !== 0,
    status: !failed ? 'PASSED' : exit === 0 ? 'PASSED_WITH_WARNINGS' : 'FAILED',
    violated_at: place?.file === undefined ? null : `${place.file}:${place.line ?? ''}`,
    not_applicable: statuses.filter((status) => status === 'NOT_APPLICABLE').length,
  };
}

const ENFORCEMENT = {
  surface: 'ci',
  mode: 'moderate',
  threshold: 0,
  subject: 'the row',
} as const;
