import { DatabaseSync } from 'node:sqlite';
import { parseJson } from '../../base/json-object.ts';
import { sha256 } from '../../base/sha256.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import { readEntry, findWriteFault } from '../record/read-entry.ts';
import type { Glance, Journal, ChainLink, WrittenEntry } from './journal.ts';
import { Problem } from '../../base/problem.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** The link before the first entry. */
const BEGINNING: ChainLink = { seq: 0, hash: '0'.repeat(64) };

interface Row {
  readonly seq: number;
  readonly task_id: string;
  readonly body: string;
  readonly hash: string;
}

/** Opens the journal of a repository; with `readOnly` nothing is created or written. A damaged file is a Problem. */
export function openJournal(file: string, options: { readonly readOnly?: boolean } = {}): Journal {
  const journal = withSqliteErrors(file, () => openDatabase(file, options));
  return {
    ...journal,
    entries: (taskId) => withSqliteErrors(file, () => journal.entries(taskId)),
    since: (seq) => withSqliteErrors(file, () => journal.since(seq)),
    head: () => withSqliteErrors(file, () => journal.head()),
    taskIds: () => withSqliteErrors(file, () => journal.taskIds()),
    verify: () => withSqliteErrors(file, () => journal.verify()),
    readOn: (from) => withSqliteErrors(file, () => journal.readOn(from)),
  };
}

function withSqliteErrors<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || !/not a database|malformed/.test(error.message)) throw error;
    const remedy = 'restore it from a backup; nothing was changed';
    throw new Problem('journal-damaged', `the journal ${file} cannot be read: ${error.message}`, remedy, 1);
  }
}

function openDatabase(file: string, { readOnly = false }: { readonly readOnly?: boolean }): Journal {
  const db = new DatabaseSync(file, { readOnly, timeout: 5000 });
  if (!readOnly) {
    failpoint('journal.open.before-tables');
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, task_id TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
      CREATE INDEX IF NOT EXISTS entries_by_task ON entries (task_id, seq);`);
  }
  const last = db.prepare('SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1');
  const insert = readOnly
    ? undefined
    : db.prepare('INSERT INTO entries (seq, task_id, body, hash) VALUES (?, ?, ?, ?)');
  const after = db.prepare('SELECT seq, task_id, body, hash FROM entries WHERE seq > ? ORDER BY seq');
  const hashAt = db.prepare('SELECT hash FROM entries WHERE seq = ?');
  const rowsAfter = ({ seq }: ChainLink): Iterable<Row> => after.iterate(seq) as unknown as Iterable<Row>;
  const othersWrote = db.prepare('PRAGMA data_version'); // changes when another connection has written
  const version = (): number => (othersWrote.get() as { data_version: number }).data_version;
  const memory = createEntryCache(db, version);
  let verified: number | undefined;
  let tail = (last.get() as ChainLink | undefined) ?? BEGINNING;
  let beforeNewestTask = BEGINNING;

  return {
    append(taskId, entries) {
      if (insert === undefined) throw new Error('the journal was opened for reading only');
      failpoint('journal.append.before-begin');
      db.exec('BEGIN IMMEDIATE');
      try {
        const now = (last.get() as ChainLink | undefined) ?? BEGINNING;
        if (now.seq !== tail.seq || now.hash !== tail.hash)
          throw new Error('another andon has written to the journal; this one stops');
        let next = tail;
        for (const entry of entries) {
          const body = bodyOf(entry);
          const seq = next.seq + 1;
          next = { seq, hash: chain(next.hash, seq, taskId, body) };
          insert.run(seq, taskId, body, next.hash);
        }
        failpoint('journal.append.before-commit');
        db.exec('COMMIT');
        if (entries.some(({ kind }) => kind === 'admitted')) beforeNewestTask = tail;
        tail = next;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK'); // a full disk has rolled it back already
        throw error;
      }
      failpoint('journal.append.after-commit');
      return tail;
    },
    entries: (taskId) => memory.entries(taskId),
    since: (seq) =>
      (after.all(seq) as unknown as readonly Row[]).map((row) => ({
        seq: row.seq,
        hash: row.hash,
        taskId: row.task_id,
        entry: readEntry(row.seq, row.body),
      })),
    head: () => (last.get() as { seq: number } | undefined)?.seq ?? 0,
    taskIds: () => memory.taskIds(),
    verify() {
      const now = version();
      if (now === verified) return undefined;
      const { brokenAt } = walk(BEGINNING, rowsAfter(BEGINNING));
      if (brokenAt === undefined) verified = now;
      return brokenAt;
    },
    readOn(from = BEGINNING) {
      const isThere = from.seq === 0 || (hashAt.get(from.seq) as { hash: string } | undefined)?.hash === from.hash;
      if (!isThere) return undefined;
      const entries: WrittenEntry[] = [];
      const { brokenAt, upTo } = walk(from, rowsAfter(from), (row) => entries.push(written(row)));
      return { entries, brokenAt, upTo };
    },
    verifyOnDisk: () => verifyOnDisk(file, beforeNewestTask, tail),
    close: () => db.close(),
  };
}

/** A row of the whole journal: parsed and checked only on access. */
function written({ seq, task_id: taskId, body }: Row): WrittenEntry {
  let entry: JournalEntry | undefined;
  let glance: Glance | undefined;
  return {
    seq,
    taskId,
    get entry() {
      return (entry ??= readEntry(seq, body));
    },
    get glance() {
      return (glance ??= headOf(body));
    },
  };
}

function headOf(body: string): Glance {
  const { kind, at, to } = Object(parseJson(body)) as Glance;
  return { kind, at, to };
}

/** Walks the chain from a link on and passes on every valid row; returns where it breaks, and how far it is whole. */
function walk(
  from: ChainLink,
  rows: Iterable<Row>,
  tell: (row: Row) => void = () => {},
): { readonly brokenAt: number | undefined; readonly upTo: ChainLink } {
  let upTo = from;
  for (const row of rows) {
    if (row.seq !== upTo.seq + 1 || row.hash !== chain(upTo.hash, row.seq, row.task_id, row.body))
      return { brokenAt: upTo.seq + 1, upTo };
    tell(row);
    upTo = { seq: row.seq, hash: row.hash };
  }
  return { brokenAt: undefined, upTo };
}

/** Walks the chain between two links through a connection of its own, with an empty cache. */
function verifyOnDisk(file: string, from: ChainLink, to: ChainLink): string | undefined {
  let at = from;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    const rows = db.prepare('SELECT seq, task_id, body, hash FROM entries WHERE seq > ? ORDER BY seq');
    const found = rows.iterate(from.seq) as unknown as Iterable<Row>;
    const { brokenAt } = walk(from, found, (row) => (at = row));
    if (brokenAt !== undefined) return `in entry ${brokenAt}`;
  } catch (error) {
    return `behind entry ${at.seq} (${getErrorMessage(error)})`;
  } finally {
    db?.close();
  }
  return at.seq === to.seq && at.hash === to.hash ? undefined : `which ends at entry ${at.seq} instead of ${to.seq}`;
}

const chain = (before: string, seq: number, taskId: string, body: string): string =>
  sha256(`${before}\n${seq}\n${taskId}\n${body}`);

/** The text of an entry; one that could not be read back is refused here, not at the next start. */
function bodyOf(entry: JournalEntry): string {
  const why = findWriteFault(entry);
  if (why !== undefined) throw new Error(`an entry "${entry.kind}" cannot be written into the journal: ${why}`);
  return JSON.stringify(entry);
}

/**
 * Caches parsed rows: rows are only appended, so a poll need not parse a task's whole history again. `version` changes
 * when another process writes the file; then all of it is read again.
 */
function createEntryCache(
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
