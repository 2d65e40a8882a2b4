import type { Inspection, RuleFinding } from '../model/inspection.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { listDetails, findingHeadline, findingLocation, formatVerdict, sortBySeverity } from './wording.ts';

/** For people: worst first, the place in front so that terminals and editors can jump there. */
export function reportText(inspection: Inspection): string {
  const { subject, phase, faults, findings, warnings, because, trace } = inspection;
  const rows = [
    `${line(subject)}${phase === undefined ? '' : `, phase ${phase}`}`,
    ...faults.flatMap(({ where, what, remedy }) => [
      `fault ${line(where)}: ${line(what, 400)}`,
      `    ${line(remedy, 400)}`,
    ]),
    ...sortBySeverity(findings).flatMap(rowsOf),
    ...warnings.map((warning) => `note: ${line(warning, 500)}`),
    ...trace.map(
      ({ step, rule, outcome }) =>
        `trace ${line(step)}${rule === undefined ? '' : ` ${line(rule)}`}: ${line(outcome, 400)}`,
    ),
    ...responseRows(inspection),
    formatVerdict(inspection),
    ...because.map((sentence) => `    because ${line(sentence, 400)}`),
  ];
  return `${rows.join('\n')}\n`;
}

function responseRows({ response }: Inspection): string[] {
  if (response === undefined) return [];
  const { delivered, attempts, violations, escalated } = response;
  const tries = attempts === 0 ? '' : ` after ${attempts} time${attempts === 1 ? '' : 's'} written again`;
  return [
    ...violations.map(
      ({ violation_type: type, rule_name: name, details }) => `${type} ${line(name)}: ${line(details, 400)}`,
    ),
    delivered === null
      ? `response: ${escalated ? 'not to be delivered' : 'not checked'}${tries}`
      : `response: may be delivered${delivered.from === 'response' ? '' : ` as ${delivered.from}`}${tries}`,
    ...(delivered === null || delivered.from === 'response' ? [] : [`    | ${line(delivered.text, 400)}`]),
  ];
}

function rowsOf(finding: RuleFinding): string[] {
  const { rule, severity, excerpt, fingerprint } = finding;
  const place = findingLocation(finding);
  return [
    `${place === '' ? '' : `${line(place, 300)}: `}${severity} ${line(rule)} ${line(findingHeadline(finding), 400)}`,
    ...(excerpt === undefined || excerpt === '' ? [] : [`    | ${line(excerpt)}`]),
    ...listDetails(finding).map((detail) => `    ${line(detail, 400)}`),
    `    id ${fingerprint.slice(0, 12)}`,
  ];
}

const line = (untrusted: string, width = 200): string => toTerminalLine(untrusted, width);
