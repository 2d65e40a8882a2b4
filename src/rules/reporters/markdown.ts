import { isOpen, type Inspection, type RuleFinding } from '../model/inspection.ts';
import { toMarkdownLine } from '../../base/plain-text.ts';
import { listDetails, findingHeadline, findingLocation, formatVerdict, sortBySeverity } from './wording.ts';

/** For pull requests and job summaries: a table of what counts, and what is suppressed or deferred below it. */
export function reportMarkdown(inspection: Inspection): string {
  const { subject, faults, findings, warnings, because } = inspection;
  const sorted = sortBySeverity(findings);
  const parts = [
    `## andon: ${cell(formatVerdict(inspection))}`,
    `Checked ${cell(subject)}.`,
    list(because),
    faults.length === 0
      ? ''
      : `### Faults\n\n${list(faults.map(({ where, what, remedy }) => `${where}: ${what}; ${remedy}`))}`,
    table('Findings', sorted.filter(isOpen)),
    table(
      'Suppressed or deferred',
      sorted.filter((finding) => !isOpen(finding)),
    ),
    warnings.length === 0 ? '' : `### Notes\n\n${list(warnings)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function table(title: string, findings: readonly RuleFinding[]): string {
  if (findings.length === 0) return '';
  const rows = findings.map((finding) => {
    const { rule, severity, fingerprint } = finding;
    const lines = [findingHeadline(finding), ...listDetails(finding)];
    return `| ${severity} | ${cell(rule)} | ${cell(findingLocation(finding))} | ${lines.map(cell).join('<br>')} | ${fingerprint.slice(0, 12)} |`;
  });
  return `### ${title}\n\n| severity | rule | place | what | id |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

const list = (sentences: readonly string[]): string => sentences.map((sentence) => `- ${cell(sentence)}`).join('\n');

/** Untrusted text in a cell or a list: no markup, no mentions of people or issues. */
const cell = (text: string): string =>
  toMarkdownLine(text, 600).replace(/[@#](?=[\p{L}\p{N}])/gu, (mark) => `${mark}&#8203;`);
