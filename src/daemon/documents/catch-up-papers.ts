import type { LineRecord } from '../../record/line-record.ts';
import { FILES } from '../../base/names.ts';
import { renderTransition } from '../../line/contract-document.ts';
import { foldJournal, foldSealed } from '../../line/record.ts';
import { findActiveTask } from '../journal/active-task.ts';
import { readLastLogged } from '../journal/lost-journal.ts';
import { archiveHalt } from './halt-papers.ts';
import { catchUpParked } from './move-papers.ts';
import { hasEdits } from './own-papers.ts';
import { archiveEnded, showContract } from './paperwork.ts';
import type { Needs } from '../../wiring/services.ts';

/** Updates `_handoff/` from the journal after a crash between the two; returns the active task. */
export function catchUpPapers(
  services: Needs<'digest' | 'folders' | 'handoff' | 'journal' | 'say'>,
): LineRecord | undefined {
  catchUpTransitions(services);
  catchUpParked(services);
  const record = findActiveTask(services);
  if (record === undefined) {
    archiveEnded(services);
    return undefined;
  }
  if (!hasEdits(services, record))
    showContract(services, foldSealed(services.journal.entries(record.taskId)) ?? record);
  if (record.halt === undefined && record.lastChoice !== undefined)
    archiveHalt(services, record, record.lastChoice.halt);
  return record;
}

/** The newest transition is always this near to the end of the journal; calls and notes follow it. */
const NEAR = 200;

/** Appends the newest transition to the log for scripts when a crash fell between the two. */
function catchUpTransitions({ journal, handoff }: Needs<'journal' | 'handoff'>): void {
  const logged = readLastLogged(handoff);
  const newest = journal.since(Math.max(logged, journal.head() - NEAR)).findLast(({ entry }) => entry.kind === 'moved');
  if (newest?.entry.kind !== 'moved') return;
  const entries = journal.entries(newest.taskId);
  const record = foldJournal(entries.slice(0, entries.findLastIndex(({ kind }) => kind === 'moved') + 1));
  if (record !== undefined) handoff.append(FILES.transitions, renderTransition(record, newest.entry, newest));
}
