import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { CallKey, Ledger, NightRun, OpenCall, Over, Sums } from '../ledger.ts';
import type { Owner } from '../../sandbox/processes/process-name.ts';
import { Problem } from '../../base/problem.ts';
import { failpoint } from '../../base/system/failpoints.ts';

/** Money is stored in millionths of a dollar, rounded up, so that no sum is too small. */
const PARTS = 1_000_000;
const DUST = 1e-3;
/** A write takes milliseconds; a machine under load gets this long. */
const PATIENCE_MS = 10_000;

const TABLES = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS calls (
    state TEXT NOT NULL, task TEXT NOT NULL, call INTEGER NOT NULL, at TEXT NOT NULL, station TEXT NOT NULL,
    account TEXT NOT NULL, owner TEXT NOT NULL, is_open INTEGER NOT NULL, micros INTEGER NOT NULL,
    tokens INTEGER NOT NULL, minutes REAL NOT NULL, unknown_usd INTEGER NOT NULL, unknown_tokens INTEGER NOT NULL,
    PRIMARY KEY (at, state, task, call)) STRICT;
  CREATE TABLE IF NOT EXISTS nights (
    id INTEGER PRIMARY KEY, begins TEXT NOT NULL, until TEXT NOT NULL, usd REAL, tokens INTEGER, owner TEXT NOT NULL,
    ended TEXT, how TEXT) STRICT;`;

const THIS_ONE = 'state = ? AND task = ? AND call = ? AND at = ?';

/** Makes an empty ledger, complete on return; the caller renames it into place. */
export function makeLedger(file: string): void {
  const made = new DatabaseSync(file);
  made.exec(TABLES);
  made.close();
}

/**
 * Opens the ledger of a user, which all daemons share; writers wait for each other. A file that is no ledger, or was
 * emptied, is a Problem, and its content is not trusted.
 */
export function openLedger(file: string, owner: Owner, { readOnly = false } = {}): Ledger {
  const db = withSqliteErrors(file, () => {
    const opened = new DatabaseSync(readOnly ? file : toExistingFile(file), { readOnly, timeout: PATIENCE_MS });
    try {
      if (opened.prepare('PRAGMA page_count').get()?.['page_count'] === 0) throw new Error('it is empty');
      if (!readOnly) opened.exec(TABLES);
      return { opened, ...statements(opened) };
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  const sums = (over: Over): Sums =>
    withSqliteErrors(file, () => sumsOf(db.sum.get(over.from, over.to, over.account ?? null)));
  const us = JSON.stringify(owner);
  return {
    reserve: (claim, decide) =>
      withSqliteErrors(file, () => {
        db.opened.exec('BEGIN IMMEDIATE');
        try {
          const decided = decide(sums);
          if (!decided.ok) {
            db.opened.exec('ROLLBACK');
            return decided;
          }
          const { usd, tokens, minutes } = decided.value;
          const { station, account } = claim;
          const unknown = [usd === null ? 1 : 0, tokens === null ? 1 : 0] as const;
          db.insert.run(...parts(claim), station, account, us, toMicros(usd ?? 0), tokens ?? 0, minutes, ...unknown);
          failpoint('ledger.reserve.before-commit');
          db.opened.exec('COMMIT');
          failpoint('ledger.reserve.after-commit');
          return decided;
        } catch (error) {
          if (db.opened.isTransaction) db.opened.exec('ROLLBACK');
          throw error;
        }
      }),
    settle: (key, { usd, tokens, minutes, unknownUsd, unknownTokens }) =>
      withSqliteErrors(file, () => {
        failpoint('ledger.settle.before-write');
        db.settle.run(toMicros(usd), tokens, minutes, unknownUsd, unknownTokens, ...parts(key));
        failpoint('ledger.settle.after-write');
      }),
    release: (key) => withSqliteErrors(file, () => void db.release.run(...parts(key))),
    sums,
    open: (state) => withSqliteErrors(file, () => db.open.all(state ?? null, state ?? null).map(openCallOf)),
    nights: (since) => withSqliteErrors(file, () => db.nights.all(since, since).map(nightOf)),
    openNight: ({ from, until, usd, tokens }) =>
      withSqliteErrors(file, () => {
        const { changes, lastInsertRowid } = db.openNight.run(from, until, usd, tokens, us, from);
        if (changes === 0) return undefined;
        return { id: Number(lastInsertRowid), from, until, usd, tokens, owner, ended: null, how: null };
      }),
    takeNight: ({ id, owner: before }) =>
      withSqliteErrors(file, () => db.takeNight.run(us, id, JSON.stringify(before)).changes === 1),
    lastNight: () =>
      withSqliteErrors(file, () => {
        const row = db.lastNight.get();
        return row === undefined ? undefined : nightOf(row);
      }),
    watchOn: (id) => withSqliteErrors(file, () => void db.watchOn.run(id)),
    endNight: (id, at, how) => withSqliteErrors(file, () => void db.endNight.run(at, how, id)),
    close: () => db.opened.close(),
  };
}

/** SQLite would create a missing file. */
const toExistingFile = (file: string): string => `${pathToFileURL(file).href}?mode=rw`;

function statements(db: DatabaseSync) {
  return {
    sum: db.prepare(
      `SELECT count(*) AS calls, total(micros) AS micros, total(tokens) AS tokens, total(minutes) AS minutes,
        total(unknown_usd) AS unknownUsd, total(unknown_tokens) AS unknownTokens, total(is_open) AS openCalls,
        total(is_open * micros) AS openMicros, total(is_open * tokens) AS openTokens, total(is_open * minutes) AS openMinutes
      FROM calls WHERE at >= ? AND at < ? AND account = coalesce(?, account)`,
    ),
    insert: db.prepare('INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)'),
    settle: db.prepare(
      `UPDATE calls SET is_open = 0, micros = ?, tokens = ?, minutes = ?, unknown_usd = ?, unknown_tokens = ?
      WHERE is_open = 1 AND ${THIS_ONE}`,
    ),
    release: db.prepare(`DELETE FROM calls WHERE is_open = 1 AND ${THIS_ONE}`),
    open: db.prepare('SELECT * FROM calls WHERE is_open = 1 AND (? IS NULL OR state = ?) ORDER BY at'),
    nights: db.prepare('SELECT * FROM nights WHERE until > ? AND coalesce(ended, until) > ? ORDER BY id'),
    openNight: db.prepare(
      `INSERT INTO nights (begins, until, usd, tokens, owner) SELECT ?, ?, ?, ?, ?
      WHERE NOT EXISTS (SELECT 1 FROM nights WHERE ended IS NULL AND until > ?)`,
    ),
    takeNight: db.prepare('UPDATE nights SET owner = ? WHERE id = ? AND owner = ? AND ended IS NULL'),
    lastNight: db.prepare('SELECT * FROM nights ORDER BY id DESC LIMIT 1'),
    watchOn: db.prepare("UPDATE nights SET how = 'watched on' WHERE id = ? AND ended IS NOT NULL"),
    endNight: db.prepare('UPDATE nights SET ended = ?, how = ? WHERE id = ? AND ended IS NULL'),
  };
}

type Row = Readonly<Record<string, unknown>>;

function sumsOf(row: Row | undefined): Sums {
  const figure = (name: string): number => Number(row?.[name] ?? 0);
  return {
    calls: figure('calls'),
    usd: figure('micros') / PARTS,
    tokens: figure('tokens'),
    minutes: figure('minutes'),
    unknownUsd: figure('unknownUsd'),
    unknownTokens: figure('unknownTokens'),
    open: {
      calls: figure('openCalls'),
      usd: figure('openMicros') / PARTS,
      tokens: figure('openTokens'),
      minutes: figure('openMinutes'),
    },
  };
}

const openCallOf = (row: Row): OpenCall => ({
  state: String(row['state']),
  task: String(row['task']),
  call: Number(row['call']),
  at: String(row['at']),
  station: String(row['station']),
  account: String(row['account']),
  owner: JSON.parse(String(row['owner'])) as Owner,
});

const nightOf = (row: Row): NightRun => ({
  id: Number(row['id']),
  from: String(row['begins']),
  until: String(row['until']),
  usd: row['usd'] as number | null,
  tokens: row['tokens'] as number | null,
  owner: JSON.parse(String(row['owner'])) as Owner,
  ended: row['ended'] as string | null,
  how: row['how'] as NightRun['how'],
});

const toMicros = (usd: number): number => Math.ceil(usd * PARTS - DUST);
const parts = ({ state, task, call, at }: CallKey) => [state, task, call, at] as const;

function withSqliteErrors<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (
      !(error instanceof Error) ||
      !/not a database|malformed|no such (?:table|column)|it is empty/.test(error.message)
    )
      throw error;
    throw new Problem(
      'ledger-damaged',
      `the ledger ${file}, which every ceiling rests on, cannot be read: ${error.message}`,
      `restore it from a backup, or start a new one (earlier usage is then forgotten): mv ${file}* somewhere else`,
      1,
    );
  }
}
