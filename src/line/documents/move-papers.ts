import { FILES, HANDOFF, TASK_PAPERS, TERMINAL } from '../../base/names.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { renderTransition } from '../words/contract-document.ts';
import { foldJournal, foldSealed } from '../core/fold-journal.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { findActiveTask, listParkedIds, listParkedTasks } from '../journal/active-task.ts';
import { readLastLogged } from '../upkeep/lost-journal.ts';
import { archiveHalt } from './halt-papers.ts';
import { isUntouched } from './own-papers.ts';
import { currentDecision, forParkedTask, lateDecisionPath, pathOfParked } from './parked-papers.ts';
import { archive, archiveEnded, showContract } from './paperwork.ts';
import type { Needs } from '../services/services.ts';

/**
 * Moves the papers of a halted task to a folder of its own; its report is written there again. The lock goes last: while
 * it is in `_handoff/` nothing else begins, and a start that finds it there moves the rest. Safe to repeat.
 */
export function parkPapers({ handoff }: Needs<'handoff'>, taskId: string): void {
  for (const name of TASK_PAPERS) {
    const parked = pathOfParked(taskId, name);
    if (name === FILES.halt) continue;
    if (name === FILES.contract) handoff.renameToFree(name, parked, (text) => taskIn(text) === taskId);
    else handoff.rename(name, parked);
  }
}

/** Moves the papers of a task that goes on back to `_handoff/`, where no other task is; the contract last. Safe to repeat. */
export function unparkPapers({ handoff }: Needs<'handoff'>, taskId: string): void {
  const parked = (name: string): string => pathOfParked(taskId, name);
  for (const name of TASK_PAPERS) {
    if (name === FILES.contract || name === FILES.lock) continue;
    if (name === FILES.halt) handoff.remove(parked(name));
    else handoff.rename(parked(name), name);
  }
  for (const name of [FILES.contract, FILES.lock]) {
    handoff.renameToFree(parked(name), FILES.contract, () => true);
    handoff.remove(parked(name)); // another file is in the way; the journal has this one
  }
  // A decision on its report counts now that the task goes on; an answer to a halt is late.
  if (currentDecision(handoff, parked(FILES.decision))?.about === 'report')
    handoff.renameToFree(parked(FILES.decision), FILES.decision, () => true);
  handoff.rename(parked(FILES.decision), lateDecisionPath(taskId));
  handoff.removeAside(taskId);
}

/** Brings the papers of parked tasks to what the journal says, in case a crash fell between the two. */
function catchUpParked(services: Needs<'digest' | 'folders' | 'handoff' | 'journal' | 'say'>): void {
  const left = ownerOfLock(services);
  for (const record of listParkedTasks(services)) {
    const { taskId, lastChoice } = record;
    if (left === taskId) parkPapers(services, taskId);
    const own = forParkedTask(services, taskId);
    showUntouched(own, record);
    if (record.halt === undefined && lastChoice !== undefined) archiveHalt(own, record, lastChoice.halt);
  }
  for (const taskId of services.handoff.aside()) catchUpFolder(services, taskId);
}

/** The folder of a task that is not parked: it has ended, continues, or is unknown to the journal. */
function catchUpFolder(services: Needs<'digest' | 'folders' | 'handoff' | 'journal' | 'say'>, taskId: string): void {
  const { handoff } = services;
  const record = foldJournal(services.journal.entries(taskId));
  if (record === undefined) return keepUnknownPapers(services, taskId);
  if (TERMINAL.includes(record.status)) archive(forParkedTask(services, taskId), record);
  else if (record.parked === undefined) unparkPapers(services, taskId);
  handoff.removeAside(taskId);
}

/** Papers of a task that the journal has lost are kept in the archive. */
function keepUnknownPapers({ handoff, say }: Needs<'handoff' | 'say'>, taskId: string): void {
  const folder = `${FILES.archive}/${taskId}`;
  const moved = TASK_PAPERS.filter((name) => handoff.rename(pathOfParked(taskId, name), `${folder}/${name}`));
  handoff.removeAside(taskId);
  if (moved.length === 0) return;
  const text = `the journal knows nothing of ${taskId}, which is set aside; its papers are kept in ${HANDOFF}/${folder}/`;
  say({ kind: 'word', level: 'warn', text });
}

/** The parked task whose lock is still in `_handoff/`; an unreadable lock is that of the newest. */
function ownerOfLock(services: Needs<'handoff' | 'journal'>): string | undefined {
  const { handoff } = services;
  const lock = handoff.read(FILES.lock);
  if (lock.ok && lock.value === undefined) return undefined;
  const named = lock.ok ? taskIn(lock.value ?? '') : undefined;
  return named ?? listParkedIds(services).findLast((id) => !handoff.exists(pathOfParked(id, FILES.lock)));
}

/** The task of a contract; undefined for an invalid one. */
function taskIn(text: string): string | undefined {
  const parsed = parseContract(text);
  return parsed.ok ? parsed.value.contract.taskId : undefined;
}

/** Updates `_handoff/` from the journal after a crash between the two; returns the active task. */
export function catchUpPapers(
  services: Needs<'digest' | 'folders' | 'handoff' | 'journal' | 'say'>,
): TaskRecord | undefined {
  catchUpTransitions(services);
  catchUpParked(services);
  const record = findActiveTask(services);
  if (record === undefined) {
    archiveEnded(services);
    return undefined;
  }
  showUntouched(services, record);
  if (record.halt === undefined && record.lastChoice !== undefined)
    archiveHalt(services, record, record.lastChoice.halt);
  return record;
}

/** Writes the contract again unless a person edited the lock of a halt. */
function showUntouched(services: Needs<'digest' | 'handoff' | 'journal' | 'say'>, record: TaskRecord): void {
  if (record.halt === undefined || isUntouched(services, record, FILES.lock))
    showContract(services, foldSealed(services.journal.entries(record.taskId)) ?? record);
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
