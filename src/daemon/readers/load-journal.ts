import { TERMINAL } from '../../base/names.ts';
import { groupByTask } from '../../line/digest/repository-night.ts';
import type { Journal, WrittenEntry } from '../../ports/journal.ts';
import { NO_JOURNAL } from '../../wiring/open-journal.ts';

/** Entries that concern a digest: of tasks that are open or have news, and of the line as a whole. */
export function selectConcerned(told: readonly WrittenEntry[], since: number): readonly WrittenEntry[] {
  const past = listPastTasks(told, since);
  return told.filter(({ taskId }) => !past.has(taskId));
}

/** Tasks that had ended before an entry and have no news. */
export const listPastTasks = (told: readonly WrittenEntry[], since: number): ReadonlySet<string> =>
  new Set([...groupByTask(told)].flatMap(([taskId, entries]) => (isPast(entries, since) ? [taskId] : [])));

/** Whether the entry ends a task. */
export const isEndEntry = ({ glance: { kind, to } }: WrittenEntry): boolean =>
  kind === 'undone' || (kind === 'moved' && TERMINAL.some((status) => status === to));

/** A task that had ended before; an unreadable entry counts as open. */
function isPast(entries: readonly WrittenEntry[], since: number): boolean {
  if ((entries.at(-1)?.seq ?? 0) > since) return false;
  const last = entries.findLast(
    ({ glance: { kind } }) => kind !== 'notified' && kind !== 'undone' && kind !== 'cleaned',
  );
  return last?.glance.kind === 'moved' && TERMINAL.some((status) => status === last.glance.to);
}

/** A journal over entries read before. Of tasks that are not concerned it has only the names and ends. */
export function loadJournal(told: readonly WrittenEntry[], concerned: readonly WrittenEntry[]): Journal {
  const stories = new Map<string, WrittenEntry[]>();
  for (const one of concerned) {
    const known = stories.get(one.taskId);
    if (known === undefined) stories.set(one.taskId, [one]);
    else known.push(one);
  }
  return {
    ...NO_JOURNAL,
    // The order of the queue needs the end of every task.
    since: (seq) =>
      told.flatMap((one) =>
        one.seq > seq && (isEndEntry(one) || stories.has(one.taskId))
          ? [{ seq: one.seq, taskId: one.taskId, hash: '', entry: one.entry }]
          : [],
      ),
    entries: (taskId) => (stories.get(taskId) ?? []).map(({ entry }) => entry),
    taskIds: () => [...groupByTask(told).keys()],
    head: () => told.at(-1)?.seq ?? 0,
  };
}
