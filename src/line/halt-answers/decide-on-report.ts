import { FILES, HANDOFF } from '../../base/names.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { awaitsDecision, getReportNonce } from '../core/find-outside-wait.ts';
import { checkHumanDecision } from '../core/decide-on-change.ts';
import { readDecision, readDecisionTask, type WrittenDecision } from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { refuseForeignRoot } from '../../project/workspace/lock-workspace.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';

/** Writes a person's decision on the current report as `DECISION.json`, which the line reads; never over an unread one. */
export function decideOnReport(place: Workspace, record: TaskRecord, decision: WrittenDecision): void {
  const { taskId } = record;
  if (!awaitsDecision(record) || decision.nonce !== getReportNonce(record))
    throw new Problem(
      'outdated-choice',
      `${taskId} does not wait for a decision on this report (any more)`,
      'reload the page, and read it again',
    );
  const checked = checkHumanDecision(decision, record);
  if (typeof checked === 'string') throw createUsageError(checked, 'decide otherwise, or add what is missing', 1);
  refuseForeignRoot(place.facts);
  const handoff = createHandoff(place.inboxRoot);
  const before = handoff.read(FILES.decision);
  if (!before.ok || !isOver(before.value, decision)) throw createUnread();
  const isSame = (): boolean => {
    const read = handoff.read(FILES.decision);
    return read.ok && read.value === before.value;
  };
  if (!handoff.write(FILES.decision, `${JSON.stringify(decision, null, 2)}\n`, isSame)) throw createUnread();
}

/** Whether the text counts for nothing now: none is there, or it decides on another report. */
function isOver(text: string | undefined, { task_id: taskId, nonce }: WrittenDecision): boolean {
  if (text === undefined) return true;
  const read = readDecision(text);
  if (!read.ok || read.value.about === 'halt') return false;
  return readDecisionTask(read.value) !== taskId || read.value.decision.nonce !== nonce;
}

const createUnread = (): Problem =>
  new Problem(
    'busy',
    `${HANDOFF}/${FILES.decision} is there already, and was not read yet`,
    'wait a moment; if it stays, read it, and remove it',
    1,
  );
