import type { LineRecord } from '../record/line-record.ts';
import { judgeReport } from '../record/reviews.ts';
import { FILES, HANDOFF, HUMAN } from '../base/names.ts';

/** Whether somebody outside judges: by configuration, or because a human chose so at a halt. */
export const isJudgedOutside = (record: LineRecord, settings: { readonly judgeIsOutside: boolean }): boolean =>
  settings.judgeIsOutside || record.judgedOutside;

/** Whether a human decides what follows from a report; siding with one side at a halt was that decision. */
export const isDecidedOutside = (record: LineRecord): boolean =>
  record.contract.roles.floorManager === HUMAN && record.sided === undefined;

/** What a decision on the report must name. The author of a report from outside knows its digest, so that one has a nonce. */
export const reportNonce = (record: LineRecord): string | undefined => {
  const report = judgeReport(record);
  return report?.nonce ?? report?.digest.slice(0, NONCE_LENGTH);
};

const NONCE_LENGTH = 16;

/** What the line waits for from somebody outside, and what to do; undefined while it waits for nobody. */
export function waitsForOutside(
  record: LineRecord,
  settings: { readonly judgeIsOutside: boolean },
): string | undefined {
  const { status } = record;
  if (status === 'pending_judge_review' && isJudgedOutside(record, settings))
    return `a judge: type \`andon agents judge\`, or rename ${HANDOFF}/${FILES.reviewRequest} to ${FILES.reviewInProgress} and write ${FILES.judgeReportJson}`;
  if (status === 'review_in_progress' && isJudgedOutside(record, settings))
    return `the judge's ${HANDOFF}/${FILES.judgeReportJson}`;
  if (status === 'review_complete' && isDecidedOutside(record))
    return `your ${HANDOFF}/${FILES.decision} (merge, fix or rebut), such as {"task_id": "${record.taskId}", "decision": "merge", "nonce": "${reportNonce(record) ?? ''}"}`;
  return undefined;
}
