import { TERMINAL } from '../../base/names.ts';
import { byTask } from '../../line/digest/night.ts';
import type { Journal, Written } from '../../ports/journal.ts';
import { NO_JOURNAL } from '../wiring/open-journal.ts';

/** What of a journal concerns a digest: tasks that are open or have news, and what was noted of the line as a whole. */
export function concerning(told: readonly Written[], since: number): readonly Written[] {
  const past = new Set([...byTask(told)].flatMap(([taskId, entries]) => (isPast(entries, since) ? [taskId] : [])));
  return told.filter(({ taskId }) => !past.has(taskId));
}

/** A task that had ended before; what cannot be read may be anything. */
function isPast(entries: readonly Written[], since: number): boolean {
  if ((entries.at(-1)?.seq ?? 0) > since) return false;
  const last = entries.findLast(({ glance }) => glance.kind !== 'notified' && glance.kind !== 'undone');
  return last?.glance.kind === 'moved' && TERMINAL.some((status) => status === last.glance.to);
}

/** A journal that was read as a whole, for readers who ask it task by task; of a task that does not concern them it knows the name. */
export function journalAtHand(told: readonly Written[], concerned: readonly Written[]): Journal {
  const stories = new Map<string, Written[]>();
  for (const one of concerned) {
    const known = stories.get(one.taskId);
    if (known === undefined) stories.set(one.taskId, [one]);
    else known.push(one);
  }
  return {
    ...NO_JOURNAL,
    // What tells of the order: how every task ended, and what concerns the digest.
    since: (seq) =>
      told.flatMap((one) => {
        const { kind, to } = one.glance;
        const tells = kind === 'undone' || (kind === 'moved' && TERMINAL.some((status) => status === to));
        return one.seq > seq && (tells || stories.has(one.taskId)) ? [{ ...one, hash: '', entry: one.entry }] : [];
      }),
    entries: (taskId) => (stories.get(taskId) ?? []).map(({ entry }) => entry),
    taskIds: () => [...byTask(told).keys()],
    head: () => told.at(-1)?.seq ?? 0,
    whole: () => ({ entries: told, brokenAt: undefined }),
  };
}
