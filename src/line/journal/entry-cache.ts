import type { DatabaseSync } from 'node:sqlite';
import type { JournalEntry } from '../record/journal-entry.ts';
import { readEntry } from '../record/read-entry.ts';

/**
 * Caches parsed rows: rows are only appended, so a poll need not parse a task's whole history again. `version` changes
 * when another process writes the file; then all of it is read again.
 */
export function createEntryCache(
  db: DatabaseSync,
  version: () => number,
): { entries(taskId: string): readonly JournalEntry[]; taskIds(): readonly string[] } {
  const newRows = db.prepare('SELECT seq, body FROM entries WHERE task_id = ? AND seq > ? ORDER BY seq');
  const newIds = db.prepare(
    'SELECT task_id, max(seq) AS last FROM entries WHERE seq > ? GROUP BY task_id ORDER BY min(seq)',
  );
  let read = version();
  let ids = { all: new Set<string>(), last: 0 };
  /** The task that was read last; one is under way at a time. */
  let story: { taskId: string; last: number; entries: readonly JournalEntry[] } | undefined;
  const forgetIfStale = (): void => {
    const now = version();
    if (now === read) return;
    read = now;
    ids = { all: new Set(), last: 0 };
    story = undefined;
  };

  return {
    entries(taskId) {
      forgetIfStale();
      const known = story?.taskId === taskId ? story : { taskId, last: 0, entries: [] };
      const rows = newRows.all(taskId, known.last) as unknown as readonly { seq: number; body: string }[];
      const last = rows.at(-1)?.seq ?? known.last;
      story =
        rows.length === 0
          ? known
          : { taskId, last, entries: [...known.entries, ...rows.map(({ seq, body }) => readEntry(seq, body))] };
      return story.entries;
    },
    taskIds() {
      forgetIfStale();
      const rows = newIds.all(ids.last) as unknown as readonly { task_id: string; last: number }[];
      for (const { task_id, last } of rows) {
        ids.last = Math.max(ids.last, last);
        if (!task_id.startsWith('(')) ids.all.add(task_id);
      }
      return [...ids.all];
    },
  };
}
