import { foldEntry, foldJournal } from '../core/record.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { setEditedLockAside } from '../documents/own-papers.ts';
import { archive, noteTransition } from '../documents/paperwork.ts';
import { createAlreadyMerged, readMergeState } from '../git/merge-state.ts';
import type { Needs } from '../services/services.ts';
import { describeCutCall } from '../state/settle-call.ts';

/** Abandons a task that is not running; throws a Problem when its merge has already landed. */
export async function abandonTask(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'lastSeen' | 'repository' | 'say'>,
  record: TaskRecord,
  by: string,
): Promise<TaskRecord> {
  noteInterrupted(services, record.taskId);
  const now = foldJournal(services.journal.entries(record.taskId)) ?? record;
  const standing = await readMergeState(services, now);
  if (standing.is === 'merged') throw createAlreadyMerged({ taskId: now.taskId, merge: standing.merge });
  const kept = setEditedLockAside(services, now);
  const entry = {
    kind: 'moved',
    at: services.clock.now(),
    event: 'abandon',
    from: now.status,
    to: 'abandoned',
    reason: `abandoned by ${by}${kept === undefined ? '' : `; the edited lock is kept as ${kept}`}`,
    facts: {},
  } as const;
  const ended = foldEntry(now, entry) ?? now;
  noteTransition(services, now, ended, entry);
  archive(services, ended);
  return ended;
}

/** Charges the reserve of a call that a crash interrupted. */
function noteInterrupted(services: Needs<'clock' | 'journal' | 'lastSeen'>, taskId: string): void {
  const open = foldJournal(services.journal.entries(taskId))?.openCall;
  if (open === undefined) return;
  services.journal.append(taskId, [describeCutCall(services, open)]);
}
