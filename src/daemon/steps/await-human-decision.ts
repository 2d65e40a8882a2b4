import { readDecision, readDecisionTask, type WrittenDecision } from '../../record/decision.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { formatFindingNumber, type RebuttalPoint } from '../../record/rebuttal.ts';
import { getJudgeReport } from '../../record/reviews.ts';
import { FILES } from '../../base/names.ts';
import { getReportNonce, describeOutsideWait } from '../../line/external-judge.ts';
import type { FloorDecision } from '../../line/decide.ts';
import { Stopped } from '../journal/step-journal.ts';
import type { Needs } from '../../wiring/services.ts';

/** Waits for a human's decision; one that cannot be taken is refused in words, and the line waits on. */
export async function awaitHumanDecision(
  services: Needs<'bell' | 'handoff' | 'say' | 'settings'>,
  record: LineRecord,
  signal: AbortSignal,
): Promise<FloorDecision> {
  const { handoff } = services;
  const waits = describeOutsideWait(record, services.settings);
  if (waits !== undefined) services.say({ kind: 'word', level: 'info', text: `${record.taskId}: waits for ${waits}` });
  let refused: string | undefined;
  for (;;) {
    const read = handoff.read(FILES.decision);
    const text = read.ok ? read.value : undefined;
    const written = text === undefined || text === refused ? undefined : readDecision(text);
    if (text !== undefined && written !== undefined && !isForAnotherHalt(written, record)) {
      const decision = !written.ok
        ? written.why.why
        : written.value.about === 'report'
          ? toDecision(written.value.decision, record)
          : 'it answers a halt (`halt`, `path`), and the line is not halted; say merge, fix or rebut in `decision`';
      if (typeof decision !== 'string') return decision; // the file stays until the next review, so a crash loses nothing
      if (written.ok || !written.why.unfinished) {
        refused = text;
        services.say({ kind: 'word', level: 'warn', text: `${FILES.decision} is not taken: ${decision}` });
      }
    }
    await services.bell.next(signal);
    if (signal.aborted) throw new Stopped();
  }
}

/** An answer to the halt of a parked task; the line itself takes it. */
const isForAnotherHalt = (written: ReturnType<typeof readDecision>, { taskId }: LineRecord): boolean =>
  written.ok && written.value.about === 'halt' && readDecisionTask(written.value) !== taskId;

/** What a written decision means for this record, or why it cannot be taken: only a PASS is ever merged. */
function toDecision(written: WrittenDecision, record: LineRecord): FloorDecision | string {
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
