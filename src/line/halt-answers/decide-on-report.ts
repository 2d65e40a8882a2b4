import { FILES, HANDOFF } from '../../base/names.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { awaitsDecision, getReportNonce } from '../core/find-outside-wait.ts';
import { checkHumanDecision } from '../core/decide-on-change.ts';
import { findFreeInArchive } from '../documents/paperwork.ts';
import { getTaskStatus, openTasks } from '../journal/active-task.ts';
import type { Journal } from '../journal/journal.ts';
import { readDecision, type WrittenDecision } from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { createHandoff, type Handoff } from '../../project/handoff/create-handoff.ts';
import { refuseForeignRoot } from '../../project/workspace/lock-workspace.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { UNFINISHED_MS } from './decision-reader.ts';
import { interpretDecision } from './interpret-decision.ts';

/**
 * Writes a person's decision on the current report as `DECISION.json`, which the line reads; never over one that may
 * count.
 */
export function decideOnReport(
  place: Workspace,
  journal: Journal,
  record: TaskRecord,
  decision: WrittenDecision,
): void {
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
  setRefusedAside(handoff, journal, record);
  const isFree = (): boolean => !handoff.exists(FILES.decision);
  if (!handoff.write(FILES.decision, `${JSON.stringify(decision, null, 2)}\n`, isFree)) throw createUnread();
}

/** Archives a file that counts for nothing, so that it is not lost; throws a Problem for one that may count. */
function setRefusedAside(handoff: Handoff, journal: Journal, record: TaskRecord): void {
  const read = handoff.read(FILES.decision);
  if (!read.ok)
    throw new Problem('busy', `${handoff.shown(FILES.decision)} does not count: it ${read.why}`, 'move it away', 1);
  const text = read.value;
  if (text === undefined) return;
  if (mayCount(text, handoff, journal, record)) throw createUnread();
  const kept = findFreeInArchive(handoff, record.taskId, FILES.decision, 'refused.');
  if (!handoff.renameToFree(FILES.decision, kept, (found) => found === text)) throw createUnread();
}

/** Whether the watchdog may still take the text: it counts for a task, or is being written. */
function mayCount(text: string, handoff: Handoff, journal: Journal, active: TaskRecord): boolean {
  const file = readDecision(text);
  if (!file.ok) return file.why.unfinished && Date.now() - (handoff.namedAt(FILES.decision) ?? 0) < UNFINISHED_MS;
  const records = openTasks({ journal });
  return interpretDecision(file.value, { active, records, statusOf: (taskId) => getTaskStatus(journal, taskId) }).ok;
}

const createUnread = (): Problem =>
  new Problem(
    'busy',
    `${HANDOFF}/${FILES.decision} is there already, and may count`,
    'wait a moment; if it stays, read it, and remove it',
    1,
  );
