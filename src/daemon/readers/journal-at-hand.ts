import type { Told } from '../../line/digest/night.ts';
import type { Journal } from '../../ports/journal.ts';
import { NO_JOURNAL } from '../wiring/open-journal.ts';

/** A journal that was read as a whole, for readers who ask it task by task; the disk is not asked again. */
export function journalAtHand(told: readonly Told[]): Journal {
  const byTask = new Map<string, Told['entry'][]>();
  for (const { taskId, entry } of told) {
    const known = byTask.get(taskId);
    if (known === undefined) byTask.set(taskId, [entry]);
    else known.push(entry);
  }
  return {
    ...NO_JOURNAL,
    entries: (taskId) => byTask.get(taskId) ?? [],
    taskIds: () => [...byTask.keys()].filter((id) => !id.startsWith('(')),
    head: () => told.at(-1)?.seq ?? 0,
    whole: () => ({ entries: told, brokenAt: undefined }),
  };
}
