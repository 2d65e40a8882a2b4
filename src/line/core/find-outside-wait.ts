import type { Activity } from '../words/line-facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HANDOFF, HUMAN } from '../../base/names.ts';

/** Whether an external judge judges: by configuration, or by a person's choice at a halt. */
export const isJudgedOutside = (record: TaskRecord, settings: { readonly judgeIsOutside: boolean }): boolean =>
  settings.judgeIsOutside || record.judgedOutside;

/** Whether a person decides on a report; taking a side at a halt already was that decision. */
export const isDecidedOutside = (record: TaskRecord): boolean =>
  record.contract.roles.floorManager === HUMAN && record.sided === undefined;

/** Whether the task waits for a person's decision on its report. */
export const awaitsDecision = (record: TaskRecord): boolean =>
  record.status === 'review_complete' &&
  record.halt === undefined &&
  record.parked === undefined &&
  isDecidedOutside(record);

/** Whether the task waits for the person who chose, at a halt, to judge it. */
export const awaitsYourVerdict = (record: TaskRecord): boolean =>
  record.judgedOutside &&
  (record.status === 'pending_judge_review' || record.status === 'review_in_progress') &&
  record.halt === undefined &&
  record.parked === undefined;

/** The key of a decision on the report. The author of an external report knows its digest, so that one has a nonce. */
export const getReportNonce = (record: TaskRecord): string | undefined => {
  const report = record.report;
  return report?.nonce ?? report?.digest.slice(0, NONCE_LENGTH);
};

const NONCE_LENGTH = 16;

/** The external input that a task waits for, and how to give it where its name does not say so. */
export function findOutsideWait(
  record: TaskRecord,
  settings: { readonly judgeIsOutside: boolean },
): Pick<Activity, 'is' | 'phrase' | 'why' | 'command'> | undefined {
  const { status } = record;
  const waitFor = (what: string, why = '', command: string | null = null) =>
    ({ is: 'outside', phrase: `waits for ${what}`, why, command }) as const;
  if (status === 'pending_judge_review' && isJudgedOutside(record, settings))
    return waitFor(
      'a judge',
      `type \`andon agents judge\`, or rename ${HANDOFF}/${FILES.reviewRequest} to ${FILES.reviewInProgress} and write ${FILES.judgeReportJson}`,
      'andon agents judge',
    );
  if (status === 'review_in_progress' && isJudgedOutside(record, settings))
    return waitFor(`the judge's ${HANDOFF}/${FILES.judgeReportJson}`);
  if (awaitsDecision(record)) return waitFor(`your ${HANDOFF}/${FILES.decision} ${describeDecision(record)}`);
  return undefined;
}

/** The decisions that this report allows, and one of them to copy; only a PASS can be merged. */
function describeDecision(record: TaskRecord): string {
  const report = record.report;
  const isPass = report?.verdict === 'PASS';
  const example = {
    task_id: record.taskId,
    decision: isPass ? 'merge' : 'fix',
    ...(isPass || (report?.fixes.length ?? 0) > 0 ? {} : { fixes: ['what to do'] }),
    nonce: getReportNonce(record) ?? '',
  };
  const pairs = Object.entries(example).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `(${isPass ? 'merge, fix or rebut' : 'fix or rebut'}), such as {${pairs.join(', ')}}`;
}
