import { DatabaseSync } from 'node:sqlite';
import { TASK_ID } from '../../base/names.ts';

/** The ids of the tasks in a journal, newest first; malformed ids are left out. */
export function readTaskIds(file: string): readonly string[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 200 });
  try {
    const rows = db.prepare('SELECT task_id FROM entries GROUP BY task_id ORDER BY min(seq) DESC').all();
    return rows.map(({ task_id: id }) => String(id)).filter((id) => TASK_ID.test(id));
  } finally {
    db.close();
  }
}
