import { formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatFindingNumber, type RebuttalPoint, type JudgeReport } from '../record/review.ts';
import { escapePattern } from '../../base/pattern.ts';
import type { WrittenDecision } from '../record/decision-file.ts';
import { getReportNonce } from './find-outside-wait.ts';

export type FloorDecision =
  | { readonly do: 'merge' }
  | { readonly do: 'fix'; readonly fixes: readonly string[]; readonly reason: string }
  | { readonly do: 'rebut'; readonly points: readonly RebuttalPoint[] };

/**
 * The floor manager's policy: a PASS merges, facts that contradict the judge are a rebuttal, everything else is a fix.
 * `treeHas` tests whether the judged tree has that file (and that many lines).
 */
export function decideOnChange(
  record: TaskRecord,
  treeHas: (file: string, line: number | undefined) => boolean,
): FloorDecision {
  const report = record.report;
  if (report === undefined) throw new Error('the floor manager decides only on a report');
  if (record.sided === 'PASS' || (report.verdict === 'PASS' && record.sided === undefined)) return { do: 'merge' };
  const points = record.sided === 'FAIL' ? [] : contradictions(record, treeHas);
  if (points.length > 0) return { do: 'rebut', points };
  const fixes = requiredFixes(record, report);
  return {
    do: 'fix',
    fixes,
    reason: `${report.verdict}: ${fixes.length} required fix${fixes.length === 1 ? '' : 'es'}`,
  };
}

/** Rebuts only when every blocking finding is contradicted: one valid finding is reason enough for a fix. */
function contradictions(
  record: TaskRecord,
  treeHas: (file: string, line: number | undefined) => boolean,
): readonly RebuttalPoint[] {
  const blocking = record.report?.blocking ?? [];
  const points = blocking.flatMap((finding, at) => {
    const why = contradiction(finding, record, treeHas);
    return why === undefined ? [] : [{ finding: formatFindingNumber(at), why }];
  });
  return points.length === blocking.length ? points : [];
}

function contradiction(
  finding: Finding,
  record: TaskRecord,
  treeHas: (file: string, line: number | undefined) => boolean,
): string | undefined {
  const { file, line } = finding;
  if (file !== undefined && !treeHas(file, undefined))
    return `the judge’s "${formatFinding(finding)}" cites ${file}, which is not in the judged tree.`;
  if (file !== undefined && line !== undefined && !treeHas(file, line))
    return `the judge’s "${formatFinding(finding)}" cites line ${line} of ${file}, which has fewer lines.`;
  const gate = record.gates?.results.find(
    ({ name, outcome }) => outcome === 'green' && claimsFailure(finding.description, name),
  );
  if (gate)
    return `the judge’s "${formatFinding(finding)}" says that the gate ${gate.name} fails; it ran on this tree and exited with 0.`;
  return undefined;
}

/**
 * "Gate tests fails.", "the tests gate is red": the whole name beside the word, and the claim right behind it. Any other
 * sentence about a gate ("the permission gate fails open", "the test gate fails to cover it") may be true of a green one.
 */
function claimsFailure(description: string, gate: string): boolean {
  const name = `["'\`]?${escapePattern(gate)}["'\`]?`;
  const claim = new RegExp(
    `(?<![\\w-])(?:gate ${name}|${name} gate)\\s+(?:(?:is|was|still|now)\\s+)*(?:fails?|failed|failing|red)${CLAIM_END}`,
    'gi',
  );
  const text = description.replace(/\s+/g, ' ');
  return [...text.matchAll(claim)].some(({ index }) => {
    const sentence =
      text
        .slice(0, index)
        .split(/[;!]|\. /)
        .at(-1) ?? '';
    const clause = sentence.split(/: |, (?:and|so|but) /).at(-1) ?? '';
    return !CONDITION.test(sentence) && STATED.test(clause);
  });
}

/** Makes a claim behind it depend on something; "when I ran it" does not. */
const CONDITION = /\b(?:if|unless|would|could|once|until|before|without|when(?! I ran\b))\b/i;
/** Nothing else may be before a claim in its clause: any other word may limit or deny it. So it is behind it. */
const STATED = /^ ?(?:when I ran it, )?(?:the |a )?$/i;
const CLAIM_END = '(?=\\s*(?:[.;:!)]|$|(?:because|again|here|now|on this)\\b))';

function requiredFixes(record: TaskRecord, report: JudgeReport): readonly string[] {
  const fromFindings = report.blocking.map((finding) =>
    finding.fix === undefined
      ? formatFinding(finding)
      : `${formatFinding(finding).replace(/[.]?$/, '.')} Fix: ${finding.fix}`,
  );
  const written = report.fixes.filter(
    (fix) => !report.blocking.some((finding) => finding.fix === fix || finding.description === fix),
  );
  const critical = (record.review?.findings ?? [])
    .filter((finding) => finding.security && finding.severity === 'critical')
    .map(formatFinding);
  const all = [...new Set([...fromFindings, ...written, ...report.securityFlags, ...critical])];
  return all.length > 0
    ? all
    : [
        report.summary === ''
          ? 'The judge did not pass the change and named no fix; check every requirement again.'
          : report.summary,
      ];
}

/** What a written decision means for this record, or why it cannot be taken: only a PASS is ever merged. */
export function checkHumanDecision(written: WrittenDecision, record: TaskRecord): FloorDecision | string {
  const report = record.report;
  if (written.task_id !== record.taskId) return `it is about ${written.task_id}, not ${record.taskId}`;
  if (report === undefined) return 'there is no report to decide on';
  const nonce = getReportNonce(record);
  if (nonce !== undefined && nonce !== '' && written.nonce !== nonce)
    return `it names ${written.nonce === undefined ? 'no nonce' : 'another nonce'}, so it may have lain there before the report: add "nonce": "${nonce}"`;
  switch (written.decision) {
    case 'merge':
      return report.verdict === 'PASS'
        ? { do: 'merge' }
        : `only a PASS can be merged; the judge said ${report.verdict}`;
    case 'rebut':
      return written.evidence === undefined || written.evidence.length === 0
        ? 'a rebuttal needs at least one line of `evidence`'
        : { do: 'rebut', points: written.evidence.map((line) => toPoint(line, report.blocking.length)) };
    case 'fix': {
      const fixes = written.fixes ?? report.fixes;
      return fixes.length === 0
        ? 'name at least one of `fixes` (`"fixes": ["what to do"]`); the judge named none'
        : { do: 'fix', fixes, reason: `fix, by a human: ${written.reason ?? fixes[0] ?? ''}` };
    }
  }
}

/** A line that begins with the number of a finding is about it (`B1: …`); any other about the report as a whole. */
function toPoint(line: string, findings: number): RebuttalPoint {
  const [, number = '', why = ''] = /^(B\d+)\b[\s:.,–-]*(.*)$/isu.exec(line) ?? [];
  const finding = Array.from({ length: findings }, (_, at) => formatFindingNumber(at)).find(
    (one) => one === number.toUpperCase(),
  );
  return finding === undefined || why === '' ? { why: line } : { finding, why };
}
