import { dirname } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';
import { findCommonDir } from '../../project/git/operation-in-progress.ts';
import { findInboxRoot } from '../../project/git/find-inbox-root.ts';
import { FILES, HANDOFF, TASK_ID } from '../../base/names.ts';
import { findStateFolder } from '../../project/folders/user-folders.ts';
import { DatabaseSync } from 'node:sqlite';

/**
 * The tasks of the repository around `folder`, newest first; none on any fault. A shell asks
 * this in the middle of a line: no git, no configuration and nothing of the line is loaded for it.
 */
export function listTaskIds(folder: string, env: NodeJS.ProcessEnv): readonly string[] {
  try {
    const shared = findCommonDir(folder);
    return shared === undefined ? [] : readTaskIds(openDir(findStateFolder(env, shared)).plain('journal.sqlite'));
  } catch {
    return [];
  }
}

/** The tasks of the waiting contracts around `folder`, by the same rules; the id is read from the raw text. */
export function listWaitingIds(folder: string): readonly string[] {
  try {
    const found = rootAbove(folder);
    const shared = findCommonDir(folder);
    const root =
      found === undefined || shared === undefined ? found : findInboxRoot({ root: found, commonDir: shared });
    const door = root === undefined ? undefined : openDir(root);
    const queue = `${HANDOFF}/${FILES.queue}`;
    return (door?.entries(queue) ?? []).flatMap(({ name }) => {
      if (!name.endsWith('.json') || name.startsWith('.')) return [];
      const read = door?.text(`${queue}/${name}`, LARGEST);
      const [, id] =
        /"task_id"\s*:\s*"([A-Za-z0-9][A-Za-z0-9_-]{0,63})"/.exec(read?.ok === true ? (read.value ?? '') : '') ?? [];
      return id === undefined ? [] : [id];
    });
  } catch {
    return [];
  }
}

/** A contract may have 1 MB; a larger file is not completed. */
const LARGEST = 1024 * 1024;

/** The checkout around a folder. */
function rootAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (openDir(at).stat('.git') !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The ids of the tasks in a journal, newest first; malformed ids are left out. */
function readTaskIds(file: string): readonly string[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 200 });
  try {
    const rows = db.prepare('SELECT task_id FROM entries GROUP BY task_id ORDER BY min(seq) DESC').all();
    return rows.map(({ task_id: id }) => String(id)).filter((id) => TASK_ID.test(id));
  } finally {
    db.close();
  }
}
