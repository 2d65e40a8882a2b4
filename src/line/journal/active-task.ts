import type { TaskRecord } from '../record/task-record.ts';
import { HANDOFF, type Status } from '../../base/names.ts';
import { foldJournal } from '../core/fold-journal.ts';
import type { Journal } from './journal.ts';
import { Problem } from '../../base/problem.ts';
import { readQueueEvents } from './queue-events.ts';
import type { Needs } from '../services/services.ts';

type Known = Needs<'journal'>;

/** The task that has not ended and is not parked: it runs, or holds the line. */
export function findActiveTask({ journal }: Known): TaskRecord | undefined {
  const id = findActiveId({ journal });
  return id === undefined ? undefined : foldJournal(journal.entries(id));
}

/** The id of the active task, whose contract is the line's; none without one. No task is folded for it. */
export function listUnderWay({ journal }: Known): readonly string[] {
  const id = findActiveId({ journal });
  return id === undefined ? [] : [id];
}

function findActiveId({ journal }: Known): string | undefined {
  const { unfinished, parked } = readQueueEvents(journal);
  return [...unfinished].findLast((one) => !parked.has(one));
}

/** Every parked task, halted or answered, in the order of parking. */
export const listParkedTasks = ({ journal }: Known): readonly TaskRecord[] =>
  recordsOf(journal, listParkedIds({ journal }));

/** Every task that has not ended: the parked ones, then the active one. */
export function openTasks({ journal }: Known): readonly TaskRecord[] {
  const { unfinished, parked } = readQueueEvents(journal);
  return recordsOf(journal, [...new Set([...parked, ...unfinished])]);
}

/** The ids of the parked tasks; no task is folded for them. */
export const listParkedIds = ({ journal }: Known): readonly string[] => [...readQueueEvents(journal).parked];

/** The status of a task, open or ended; undefined where the journal does not know it. */
export const getTaskStatus = (journal: Pick<Journal, 'entries'>, taskId: string): Status | undefined =>
  foldJournal(journal.entries(taskId))?.status;

/** An open task by its id, or a Problem that names the open tasks. */
export function openTask(services: Needs<'journal' | 'queue'>, taskId: string): TaskRecord {
  const found = openTasks(services).find((one) => one.taskId === taskId);
  if (found === undefined) throw unknownTask(services, taskId);
  return found;
}

function unknownTask(services: Needs<'journal' | 'queue'>, taskId: string): Problem {
  const waiting = services.queue.waiting(listUnderWay(services)).find((one) => one.taskId === taskId)?.name;
  if (waiting !== undefined)
    return new Problem(
      'no-task',
      `${taskId} has not begun: it waits in ${HANDOFF}/${waiting}`,
      `andon queue shows what for; andon queue withdraw ${taskId} takes it out`,
    );
  const names = openTasks(services).map((one) => one.taskId);
  return new Problem(
    'no-task',
    `no task ${taskId} is on the line`,
    names.length === 0
      ? 'andon list shows every task'
      : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} (andon status)`,
  );
}

const recordsOf = (journal: Journal, ids: readonly string[]): readonly TaskRecord[] =>
  ids.flatMap((id) => foldJournal(journal.entries(id)) ?? []);
