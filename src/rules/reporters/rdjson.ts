import { isOpen, type Inspection, type RuleFinding } from '../model/inspection.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import { listDetails, findingHeadline, getLevel, sortBySeverity } from './wording.ts';

/** Reviewdog's diagnostic format; suppressed and deferred findings are only information. */
export function reportRdjson({ findings, faults }: Inspection): string {
  const diagnostics = [
    ...faults.map(({ where, what, remedy }) => ({
      message: `${where}: ${what}; ${remedy}`,
      location: { path: '' },
      severity: 'ERROR',
      code: { value: 'andon' },
    })),
    ...sortBySeverity(findings).map(diagnostic),
  ];
  return `${toSafeJson({ source: { name: 'andon' }, diagnostics })}\n`;
}

const SEVERITIES = { error: 'ERROR', warning: 'WARNING', note: 'INFO' } as const;

function diagnostic(finding: RuleFinding): object {
  const { rule, file, line, column, fingerprint } = finding;
  return {
    message: [findingHeadline(finding), ...listDetails(finding), `id ${fingerprint.slice(0, 12)}`].join('\n'),
    location: { path: file ?? '', range: line === undefined ? undefined : { start: { line, column } } },
    severity: isOpen(finding) ? SEVERITIES[getLevel(finding)] : 'INFO',
    code: { value: rule },
  };
}
