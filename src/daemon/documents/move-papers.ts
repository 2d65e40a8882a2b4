import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { foldJournal, foldSealed } from '../../line/record.ts';
import { parkedIds, parkedTasks } from '../journal/active-task.ts';
import { OWN_PAPERS, asideOf, besideThePlace, subjectOf } from './papers-of.ts';
import { hasEdits } from './own-papers.ts';
import { archive, showContract } from './paperwork.ts';
import { archiveHalt } from './papers-of-halt.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * Moves the papers of a halted task out of the place into its own folder. The lock goes last: while it lies in the place
 * nothing else begins, and a start that finds it there moves the rest. Safe to repeat.
 */
export function putAside({ handoff }: Pick<Services, 'handoff'>, taskId: string): void {
  for (const name of OWN_PAPERS) {
    const aside = asideOf(taskId, name);
    if (name === FILES.halt || name === FILES.decision) {
      const subject = subjectOf(handoff, name) ?? (name === FILES.halt ? taskId : undefined);
      if (subject === taskId) handoff.rename(name, aside);
    } else if (name === FILES.contract) handoff.renameToFree(name, aside, (text) => taskIn(text) === taskId);
    else handoff.rename(name, aside);
  }
}

/** Moves the papers of a task that goes on back into the place, which is free; the contract last. Safe to repeat. */
export function putBack({ handoff }: Pick<Services, 'handoff'>, taskId: string): void {
  const archived = (name: string): string => `${FILES.archive}/${taskId}/late.${name}`;
  for (const name of OWN_PAPERS) {
    const aside = asideOf(taskId, name);
    if (name === FILES.contract || name === FILES.lock) continue;
    if (name === FILES.halt) handoff.rename(aside, archived(name));
    else if (name !== FILES.decision) handoff.rename(aside, name);
    else if (!handoff.renameToFree(aside, name, () => true)) handoff.rename(aside, archived(name));
  }
  for (const name of [FILES.contract, FILES.lock]) {
    handoff.renameToFree(asideOf(taskId, name), FILES.contract, () => true);
    handoff.remove(asideOf(taskId, name)); // somebody's file lies in the place; the journal has this one
  }
  handoff.removeAside(taskId);
}

/** Brings the papers of parked tasks to what the journal says, in case a crash fell between the two. */
export function catchUpAside(services: Services): void {
  const left = ownerOfLock(services);
  for (const record of parkedTasks(services)) {
    const { taskId, lastChoice } = record;
    if (left === taskId) putAside(services, taskId);
    const own = besideThePlace(services, taskId);
    if (!hasEdits(own, record)) showContract(own, foldSealed(services.journal.entries(taskId)) ?? record);
    if (record.halt === undefined && lastChoice !== undefined) archiveHalt(own, record, lastChoice.halt);
  }
  for (const taskId of services.handoff.aside()) catchUpFolder(services, taskId);
}

/** A folder of a task that is not parked: it has ended, or goes on, or the journal knows nothing of it. */
function catchUpFolder(services: Services, taskId: string): void {
  const { handoff } = services;
  const record = foldJournal(services.journal.entries(taskId));
  if (record === undefined) return keepStrange(services, taskId);
  if (TERMINAL.includes(record.status)) archive(besideThePlace(services, taskId), record);
  else if (record.parked === undefined) putBack(services, taskId);
  handoff.removeAside(taskId);
}

/** The papers of a task that the journal has lost are kept where those of ended tasks are. */
function keepStrange({ handoff, say }: Pick<Services, 'handoff' | 'say'>, taskId: string): void {
  const folder = `${FILES.archive}/${taskId}`;
  const moved = OWN_PAPERS.filter((name) => handoff.rename(asideOf(taskId, name), `${folder}/${name}`));
  handoff.removeAside(taskId);
  if (moved.length === 0) return;
  const text = `the journal knows nothing of ${taskId}, which is parked; its papers are kept in ${HANDOFF}/${folder}/`;
  say({ kind: 'word', level: 'warn', text });
}

/** The parked task whose lock still lies in the place; one that says nothing any more is that of the newest. */
function ownerOfLock(services: Pick<Services, 'handoff' | 'journal'>): string | undefined {
  const { handoff } = services;
  const lock = handoff.read(FILES.lock);
  if (lock.ok && lock.value === undefined) return undefined;
  const named = lock.ok ? taskIn(lock.value ?? '') : undefined;
  return named ?? parkedIds(services).findLast((id) => !handoff.exists(asideOf(id, FILES.lock)));
}

/** The task that a contract is about; undefined of what is none. */
function taskIn(text: string): string | undefined {
  const parsed = parseContract(text);
  return parsed.ok ? parsed.value.contract.taskId : undefined;
}
