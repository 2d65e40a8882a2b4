import {
  isOpen,
  isUnchecked,
  type Inspection,
  type RuleFinding,
  type RuleResult,
} from '../../rule-model/inspection.ts';
import { toTerminal } from '../../base/plain-text.ts';
import { listDetails, findingHeadline, describeSuppression, findingLocation, sortBySeverity } from './wording.ts';

/** JUnit XML: a test case per rule that holds, and one per finding; what could not be checked is an error. */
export function reportJunit({ subject, results, findings, faults, warnings, mode }: Inspection): string {
  const blamed = new Set(findings.map(({ rule }) => rule));
  const kept = results.filter(({ rule }) => !blamed.has(rule));
  const sorted = sortBySeverity(findings);
  const isSkipped = (finding: RuleFinding): boolean =>
    !isOpen(finding) || (finding.not_sure !== undefined && !isUnchecked(finding, mode));
  const failures = sorted.filter((finding) => isOpen(finding) && finding.status === 'VIOLATED').length;
  const errors =
    faults.length + sorted.filter((finding) => !isSkipped(finding) && finding.status !== 'VIOLATED').length;
  const quiet = sorted.filter(isSkipped).length + kept.filter(({ status }) => SKIPPED.has(status)).length;
  const counts = `tests="${kept.length + sorted.length + faults.length}" failures="${failures}" errors="${errors}" skipped="${quiet}"`;
  const rows = [
    ...faults.map(({ where, what, remedy }) => testCase('andon', where, [element('error', what, remedy)])),
    ...sorted.map((finding) => caseOf(finding, isSkipped(finding))),
    ...kept.map(keptCase),
    ...(warnings.length === 0 ? [] : [`    <system-err>${content(warnings.join('\n'))}</system-err>`]),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="andon" ${counts}>\n  <testsuite name="${attribute(subject)}" ${counts}>\n${rows.map((row) => `${row}\n`).join('')}  </testsuite>\n</testsuites>\n`;
}

const SKIPPED: ReadonlySet<string> = new Set(['NOT_APPLICABLE', 'NOT_COVERED']);

function keptCase({ rule, title, status, reason }: RuleResult): string {
  return testCase(rule, title, SKIPPED.has(status) ? [`<skipped message="${attribute(reason)}"/>`] : []);
}

function caseOf(finding: RuleFinding, isSkipped: boolean): string {
  const { rule, title, excerpt, fingerprint, suppressed, deferredTo } = finding;
  const place = findingLocation(finding);
  const body = [...(excerpt === undefined ? [] : [excerpt]), ...listDetails(finding), `id ${fingerprint}`].join('\n');
  const name = place === '' ? title : `${title} at ${place}`;
  if (suppressed !== undefined)
    return testCase(
      rule,
      name,
      [`<skipped message="${attribute(`suppressed by ${describeSuppression(suppressed)}`)}"/>`],
      body,
    );
  if (deferredTo !== undefined) return testCase(rule, name, [`<skipped message="deferred to ${deferredTo}"/>`], body);
  if (isSkipped) return testCase(rule, name, [`<skipped message="${attribute(findingHeadline(finding))}"/>`], body);
  return testCase(rule, name, [
    element(finding.status === 'VIOLATED' ? 'failure' : 'error', findingHeadline(finding), body),
  ]);
}

function testCase(rule: string, name: string, inner: readonly string[], output?: string): string {
  const parts = [...inner, ...(output === undefined ? [] : [`<system-out>${content(output)}</system-out>`])];
  const opening = `    <testcase classname="${attribute(rule)}" name="${attribute(name)}"`;
  return parts.length === 0 ? `${opening}/>` : `${opening}>${parts.join('')}</testcase>`;
}

const element = (name: string, message: string, body: string): string =>
  `<${name} message="${attribute(message)}">${content(body)}</${name}>`;

/** What XML 1.0 can hold at all: the rest (controls, half characters, two more) is shown as a replacement character. */
const holdable = (text: string): string =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd');

/** What could hide or reorder text in a viewer is shown as `\u{…}`; line ends stay what they are. */
const visible = (text: string): string => text.split('\r').map(toTerminal).join('\r');

const content = (text: string): string =>
  visible(holdable(text))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');

const attribute = (text: string): string =>
  content(text).replaceAll('"', '&quot;').replaceAll("'", '&apos;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
