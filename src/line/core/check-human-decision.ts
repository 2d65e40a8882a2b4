import type { WrittenDecision } from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatFindingNumber, getJudgeReport, type RebuttalPoint } from '../record/review.ts';
import type { FloorDecision } from './decide-on-change.ts';
import { getReportNonce } from './find-outside-wait.ts';

/** What a written decision means for this record, or why it cannot be taken: only a PASS is ever merged. */
export function checkHumanDecision(written: WrittenDecision, record: TaskRecord): FloorDecision | string {
  const report = getJudgeReport(record);
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
