import { isOpen } from '../../rule-model/inspection.ts';
import type { Inspection, RuleFinding } from '../../rule-model/inspection.ts';
import { forJson } from '../../base/plain-text.ts';
import { details, headline, levelOf, worstFirst } from './wording.ts';

/** Reviewdog's diagnostic format; suppressed and deferred findings are only information. */
export function rdjson({ findings, faults }: Inspection): string {
  const diagnostics = [
    ...faults.map(({ where, what, remedy }) => ({
      message: `${where}: ${what}; ${remedy}`,
      location: { path: '' },
      severity: 'ERROR',
      code: { value: 'andon' },
    })),
    ...worstFirst(findings).map(diagnostic),
  ];
  return `${forJson({ source: { name: 'andon' }, diagnostics })}\n`;
}

const SEVERITIES = { error: 'ERROR', warning: 'WARNING', note: 'INFO' } as const;

function diagnostic(finding: RuleFinding): object {
  const { rule, file, line, column, fingerprint } = finding;
  return {
    message: [headline(finding), ...details(finding), `id ${fingerprint.slice(0, 12)}`].join('\n'),
    location: {
      path: file ?? '',
      ...(line === undefined ? {} : { range: { start: { line, ...(column === undefined ? {} : { column }) } } }),
    },
    severity: isOpen(finding) ? SEVERITIES[levelOf(finding)] : 'INFO',
    code: { value: rule },
  };
}
