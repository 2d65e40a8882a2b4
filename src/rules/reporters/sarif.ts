import type { Inspection, InspectionFault, RuleFinding, RuleResult, Suppression } from '../model/inspection.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import { LEVELS, listDetails, findingHeadline, describeSuppression, getLevel, sortBySeverity } from './wording.ts';

/** SARIF 2.1.0, as code scanners exchange it. */
export function reportSarif(inspection: Inspection): string {
  const { results, findings, faults, warnings, exit, score, mode, threshold } = inspection;
  // What a finding is called may be a model's word about one place; only a rule itself says what the rule is.
  const named = findings.map((finding) => ruleOf({ ...finding, title: '' }));
  const rules = [...new Map([...named, ...results.map(ruleOf)].map((rule) => [rule.id, rule])).values()];
  const index = new Map(rules.map(({ id }, at) => [id, at]));
  const run = {
    tool: { driver: { name: 'andon', rules } },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: exit !== 2,
        exitCode: exit,
        toolExecutionNotifications: warnings.map((text) => ({ level: 'note', message: { text } })),
        toolConfigurationNotifications: faults.map(notification),
      },
    ],
    results: sortBySeverity(findings).map((finding) => resultOf(finding, index.get(finding.rule))),
    properties: { score, mode, threshold },
  };
  return `${toSafeJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] })}\n`;
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

function ruleOf({ rule, title, modality, severity }: RuleResult | RuleFinding) {
  return {
    id: rule,
    shortDescription: { text: title === '' ? rule : title },
    defaultConfiguration: { level: LEVELS[modality] },
    properties: { modality, severity },
  };
}

const notification = ({ where, what, remedy }: InspectionFault): object => ({
  level: 'error',
  message: { text: `${where}: ${what}; ${remedy}` },
});

function resultOf(finding: RuleFinding, ruleIndex: number | undefined): object {
  const { rule, status, file, fingerprint, suppressed, priority, handler, confidence, deferredTo, enforcedBy } =
    finding;
  const text = [findingHeadline(finding), ...listDetails(finding)].join('\n');
  return {
    ruleId: rule,
    ruleIndex,
    // SARIF demands the level none of a result that is no failure.
    level: finding.not_sure === undefined ? getLevel(finding) : 'none',
    kind: finding.not_sure === undefined ? 'fail' : 'review',
    message: { text },
    locations: file === undefined ? undefined : [{ physicalLocation: placeOf(finding, file) }],
    partialFingerprints: { 'andon/v1': fingerprint },
    suppressions: suppressed === undefined ? [] : [suppression(suppressed)],
    properties: { status, priority, handler, confidence, deferredTo, enforced_by: enforcedBy },
  };
}

function placeOf({ line, column, excerpt }: RuleFinding, file: string): object {
  const snippet = excerpt === undefined ? undefined : { text: excerpt };
  return {
    artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' },
    region: line === undefined ? undefined : { startLine: line, startColumn: column, snippet },
  };
}

/** A path as a relative reference: no scheme, no query, no half characters. */
const uriOf = (file: string): string => file.toWellFormed().split('/').map(encodeURIComponent).join('/');

const suppression = (suppressed: Suppression): object => ({
  kind: suppressed.by === 'inline' ? 'inSource' : 'external',
  status: 'accepted',
  justification: describeSuppression(suppressed),
});
