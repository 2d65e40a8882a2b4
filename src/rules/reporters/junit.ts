import { isOpen, isUnchecked, type Inspection, type RuleFinding, type RuleResult } from '../model/inspection.ts';
import { escapeXml, toTerminal } from '../../base/plain-text.ts';
import { listDetails, findingHeadline, describeSuppression, findingLocation, sortBySeverity } from './wording.ts';

/** One test case; `problem` is undefined where the rule holds. */
interface TestCase {
  readonly rule: string;
  readonly name: string;
  readonly problem?: { readonly kind: 'failure' | 'error' | 'skipped'; readonly message: string };
  readonly body?: string;
}

/** JUnit XML: a test case per rule that holds, and one per finding; what could not be checked is an error. */
export function reportJunit({ subject, results, findings, faults, warnings, mode }: Inspection): string {
  const violated = new Set(findings.map(({ rule }) => rule));
  const cases: readonly TestCase[] = [
    ...faults.map(({ where, what, remedy }): TestCase => ({
      rule: 'andon',
      name: where,
      problem: { kind: 'error', message: what },
      body: remedy,
    })),
    ...sortBySeverity(findings).map((finding) => findingCase(finding, mode)),
    ...results.filter(({ rule }) => !violated.has(rule)).map(resultCase),
  ];
  const count = (kind: string): number => cases.filter(({ problem }) => problem?.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  const rows = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="andon" ${counts}>`,
    `  <testsuite name="${attribute(subject)}" ${counts}>`,
    ...cases.map(render),
    ...(warnings.length === 0 ? [] : [`    <system-err>${content(warnings.join('\n'))}</system-err>`]),
    '  </testsuite>',
    '</testsuites>',
  ];
  return `${rows.join('\n')}\n`;
}

function findingCase(finding: RuleFinding, mode: Inspection['mode']): TestCase {
  const { rule, title, excerpt, fingerprint, status } = finding;
  const place = findingLocation(finding);
  const isSkipped = !isOpen(finding) || (finding.not_sure !== undefined && !isUnchecked(finding, mode));
  return {
    rule,
    name: place === '' ? title : `${title} at ${place}`,
    problem: {
      kind: isSkipped ? 'skipped' : status === 'VIOLATED' ? 'failure' : 'error',
      message: isSkipped ? skipReason(finding) : findingHeadline(finding),
    },
    body: [...(excerpt === undefined ? [] : [excerpt]), ...listDetails(finding), `id ${fingerprint}`].join('\n'),
  };
}

function skipReason(finding: RuleFinding): string {
  const { suppressed, deferredTo } = finding;
  if (suppressed !== undefined) return `suppressed by ${describeSuppression(suppressed)}`;
  return deferredTo === undefined ? findingHeadline(finding) : `deferred to ${deferredTo}`;
}

function resultCase({ rule, title, status, reason }: RuleResult): TestCase {
  const isSkipped = status === 'NOT_APPLICABLE' || status === 'NOT_COVERED';
  return { rule, name: title, ...(isSkipped ? { problem: { kind: 'skipped', message: reason } } : {}) };
}

/** A skipped element holds no text, so its details are output. */
function render({ rule, name, problem, body = '' }: TestCase): string {
  const opening = `    <testcase classname="${attribute(rule)}" name="${attribute(name)}"`;
  if (problem === undefined) return `${opening}/>`;
  const element = `<${problem.kind} message="${attribute(problem.message)}"`;
  if (problem.kind !== 'skipped') return `${opening}>${element}>${content(body)}</${problem.kind}></testcase>`;
  return `${opening}>${element}/>${body === '' ? '' : `<system-out>${content(body)}</system-out>`}</testcase>`;
}

const content = (text: string): string => escapeXml(toTerminal(text));

/** A parser turns unescaped line breaks and tabs in attributes into spaces. */
const attribute = (text: string): string => content(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
