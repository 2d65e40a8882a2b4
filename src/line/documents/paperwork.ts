import { maskKnown } from '../../base/known-secrets.ts';
import { readDecisionTask } from '../record/decision-file.ts';
import type { Moved } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HANDOFF, KEPT_PAPERS, proposalCopyPath, TERMINAL } from '../../base/names.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { renderContract, renderTransition } from '../words/contract-document.ts';
import { foldJournal, foldSealed } from '../core/fold-journal.ts';
import { openTasks } from '../journal/active-task.ts';
import { isOurs, isUntouched, type OwnPapers } from './own-papers.ts';
import { archiveHalt } from './halt-papers.ts';
import { currentDecision, lateDecisionPath, pathOfParked } from './parked-papers.ts';
import type { Needs } from '../services/services.ts';

/** Makes a transition durable and visible (journal, then contract, then the line for scripts); gives its sequence number. */
export function noteTransition(
  services: Needs<'digest' | 'handoff' | 'journal' | 'say'>,
  before: TaskRecord,
  record: TaskRecord,
  entry: Moved,
): number {
  const seal = services.journal.append(record.taskId, [entry]);
  showContract(services, record, before);
  services.handoff.append(FILES.transitions, maskKnown(renderTransition(record, entry, seal)));
  if (before.halt !== undefined && record.halt === undefined) archiveHalt(services, record, before.halt.id);
  services.say({ kind: 'entry', entry, record });
  return seal.seq;
}

/**
 * Writes the contract of the record, in a halt as the lock. A foreign file in its place stays: the next poll decides
 * between a second contract and tampering.
 */
export function showContract(
  services: Needs<'digest' | 'handoff' | 'journal' | 'say'>,
  record: TaskRecord,
  before: TaskRecord = record,
): void {
  const { handoff } = services;
  const text = renderContract(record);
  keepForeignLock(services, before);
  if (handoff.exists(FILES.lock)) {
    handoff.write(FILES.lock, text);
    if (record.status === 'erik_consultation' || !isUntouched(services, before, FILES.contract)) return;
    handoff.take(FILES.contract, (found) => isOurs(services, before.taskId, found));
    // A contract that is there now is a foreign one; the next poll queues it.
    if (handoff.renameToFree(FILES.lock, FILES.contract, () => true) || handoff.exists(FILES.contract)) return;
  }
  handoff.write(FILES.contract, text, () => isUntouched(services, before, FILES.contract));
}

/** Moves a finished task's papers to `archive/<task_id>/`; `isMeant` selects the contracts. Safe to repeat. */
export function archive(
  services: Needs<'digest' | 'folders' | 'handoff' | 'journal'>,
  record: TaskRecord,
  isMeant = isOurs,
): void {
  const { handoff } = services;
  const folder = `${FILES.archive}/${record.taskId}`;
  for (const name of KEPT_PAPERS) handoff.rename(name, `${folder}/${name}`);
  handoff.rename(proposalCopyPath(record.taskId), `${folder}/${FILES.proposalFinal}`);
  keepDecision(services, record, FILES.decision);
  handoff.rename(pathOfParked(record.taskId, FILES.decision), lateDecisionPath(record.taskId));
  for (const name of [FILES.reviewRequest, FILES.reviewInProgress]) handoff.remove(name);
  handoff.write(`${folder}/${FILES.contract}`, renderContract(record));
  // The next contract may be there already.
  for (const name of [FILES.contract, FILES.lock]) handoff.take(name, (text) => isMeant(services, record.taskId, text));
  services.folders.tidy(record.taskId);
}

/** Completes the paperwork of ended tasks after a crash; no task is active. */
export function archiveEnded(services: Needs<'digest' | 'folders' | 'handoff' | 'journal' | 'say'>): void {
  keepUnknownHalt(services);
  for (const name of [FILES.contract, FILES.lock]) {
    const read = services.handoff.read(name);
    const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
    if (!read.ok || read.value === undefined || parsed?.ok !== true) continue;
    const record = foldJournal(services.journal.entries(parsed.value.contract.taskId));
    if (record === undefined || !TERMINAL.includes(record.status)) continue;
    if (isLeftOver(services, record.taskId, read.value)) archive(services, record, isLeftOver);
  }
  const open = openTasks(services).map(({ taskId }) => taskId);
  for (const taskId of services.journal.taskIds()) if (!open.includes(taskId)) services.folders.tidy(taskId);
}

/** Archives the papers of a halt that the journal has lost, before the next task overwrites them. */
function keepUnknownHalt(services: Needs<'handoff' | 'journal' | 'say'>): void {
  const { handoff, journal } = services;
  const read = handoff.read(FILES.lock);
  if (read.ok && read.value === undefined) return;
  const parsed = read.ok ? parseContract(read.value ?? '') : undefined;
  const taskId = parsed?.ok === true ? parsed.value.contract.taskId : undefined;
  if (taskId !== undefined && journal.entries(taskId).length > 0) return;
  for (const name of [...KEPT_PAPERS, FILES.halt]) keepInArchive(handoff, taskId ?? UNKNOWN, name);
  const kept = keepInArchive(handoff, taskId ?? UNKNOWN, FILES.lock);
  if (kept === undefined) return;
  const text =
    taskId === undefined
      ? `${handoff.shown(FILES.lock)} is no contract; it is kept as ${kept}`
      : `the journal knows nothing of ${taskId}, which is halted; its papers are kept in ${HANDOFF}/${FILES.archive}/${taskId}/, and it begins again with: mv ${kept} ${HANDOFF}/${FILES.contract}`;
  services.say({ kind: 'word', level: 'warn', text });
}

/** The folder in the archive for papers of a task that cannot be known. */
const UNKNOWN = 'unknown';

/** Archives a lock that andon never wrote before the task's own paper overwrites it. */
function keepForeignLock(
  services: Needs<'digest' | 'handoff' | 'journal' | 'say'>,
  { taskId }: Pick<TaskRecord, 'taskId'>,
): void {
  const { handoff } = services;
  const read = handoff.read(FILES.lock);
  if (read.ok && (read.value === undefined || isLeftOver(services, taskId, read.value))) return;
  const kept = keepInArchive(handoff, taskId, FILES.lock, 'foreign.');
  if (kept === undefined) return;
  const text = `${handoff.shown(FILES.lock)} is not the lock of ${taskId}; it is kept as ${kept}`;
  services.say({ kind: 'word', level: 'warn', text });
}

/** Moves a paper to the archive under a name that is free there; returns its new path. */
function keepInArchive(
  handoff: Needs<'handoff'>['handoff'],
  taskId: string,
  name: string,
  prefix = '',
): string | undefined {
  const kept = findFreeInArchive(handoff, taskId, name, prefix);
  return handoff.rename(name, kept) ? handoff.shown(kept) : undefined;
}

/** A free path in the archive of a task, below `_handoff/`. */
export function findFreeInArchive(
  handoff: Pick<Needs<'handoff'>['handoff'], 'exists'>,
  taskId: string,
  name: string,
  prefix = '',
): string {
  const nameOf = (count: number): string =>
    `${FILES.archive}/${taskId}/${prefix}${count === 1 ? '' : `${count}.`}${name}`;
  let count = 1;
  while (handoff.exists(nameOf(count))) count += 1;
  return nameOf(count);
}

/** Archives a decision on an old report; an answer to a halt stays until it is taken or refused. */
export function keepReportDecision(services: Needs<'handoff'>, record: TaskRecord, name: string): void {
  if (currentDecision(services.handoff)?.about !== 'halt') keepDecision(services, record, name);
}

/** Archives an old decision of the task; one about another task stays. */
function keepDecision({ handoff }: Needs<'handoff'>, { taskId }: TaskRecord, name: string): void {
  const decision = currentDecision(handoff);
  if (decision === undefined || readDecisionTask(decision) === taskId)
    handoff.rename(FILES.decision, `${FILES.archive}/${taskId}/${name}`);
}

/** Whether andon ever wrote this text: an old one was left in this work tree when the task ended in another one. */
export function isLeftOver(services: OwnPapers, taskId: string, text: string): boolean {
  if (isOurs(services, taskId, text)) return true;
  const entries = services.journal.entries(taskId);
  for (let back = 0; ; back += 1) {
    const sealed = foldSealed(entries, back);
    if (sealed === undefined || sealed.history.length === 0) return false; // the text as dropped is a new drop
    if (text === renderContract(sealed)) return true;
  }
}
