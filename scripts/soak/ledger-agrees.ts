import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chargeInterrupted } from '../../src/line/core/cost.ts';
import { chargeCall, chargeHeld } from '../../src/agents/budget/charge.ts';
import type { Called, HeldEntry, JournalEntry, Started } from '../../src/line/record/journal-entry.ts';

/** A repository by the name of its state folder, with what its journal holds of each task. */
export interface Told {
  readonly state: string;
  readonly tasks: readonly (readonly [taskId: string, entries: readonly JournalEntry[]])[];
}

type Ended = Called | HeldEntry | Extract<JournalEntry, { kind: 'interrupted' }>;
interface Row {
  readonly is_open: number;
  readonly micros: number;
  readonly tokens: number;
}

/**
 * Where the ledger of a user and these journals differ while no andon works there, one sentence each: every call that a
 * journal holds is in the ledger once, with what it came to; and no call of theirs that they do not hold. What
 * is set aside for a call without an end is no fault, unless `isEnd`.
 */
export function ledgerFaults(home: string, journals: readonly Told[], { isEnd = true } = {}): readonly string[] {
  const file = join(home, 'ledger/ledger.sqlite');
  if (!existsSync(file)) return journals.some(({ tasks }) => tasks.length > 0) ? ['there is no ledger'] : [];
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const at = db.prepare(
      'SELECT is_open, micros, tokens FROM calls WHERE state = ? AND task = ? AND call = ? AND at = ?',
    );
    const count = db.prepare('SELECT count(*) AS calls FROM calls WHERE state = ?');
    return journals.flatMap(({ state, tasks }) => {
      const calls = tasks.flatMap(([task, entries]) => callsIn(entries).map((call) => ({ task, ...call })));
      const known = Number(count.get(state)?.['calls'] ?? 0);
      const more = known - calls.length;
      return [
        ...(isEnd && more !== 0 ? [`${state}: the ledger holds ${known} calls, the journal ${calls.length}`] : []),
        ...calls.flatMap(({ task, started, ended }) => {
          const row = at.get(state, task, started.call, started.at) as Row | undefined;
          return faultOf(row, started, ended, isEnd).map(
            (why) => `${state}: call ${started.call} of ${task} at ${started.at} ${why}`,
          );
        }),
      ];
    });
  } finally {
    db.close();
  }
}

function callsIn(entries: readonly JournalEntry[]): readonly { started: Started; ended: Ended | undefined }[] {
  return entries.flatMap((started, at) => {
    if (started.kind !== 'started') return [];
    const ended = entries.slice(at).find((entry): entry is Ended => isEndOf(entry, started));
    return [{ started, ended }];
  });
}

const isEndOf = (entry: JournalEntry, { call }: Started): boolean =>
  (entry.kind === 'called' || entry.kind === 'held' || entry.kind === 'interrupted') && entry.call === call;

function faultOf(row: Row | undefined, started: Started, ended: Ended | undefined, isEnd: boolean): readonly string[] {
  if (row === undefined) return ['is not in the ledger'];
  if (ended === undefined) return row.is_open === 1 ? [] : ['is settled, and the journal knows no end of it'];
  if (row.is_open === 1) return isEnd ? ['is not settled'] : [];
  const { usd, tokens } = chargeOf(ended, started);
  if (row.micros + 1 < usd * 1e6 || row.tokens !== tokens)
    return [`came to $${usd} and ${tokens} tokens, and is in the ledger with $${row.micros / 1e6} and ${row.tokens}`];
  return [];
}

function chargeOf(ended: Ended, started: Started) {
  if (ended.kind === 'held') return chargeHeld(ended);
  return ended.kind === 'called' ? chargeCall(ended, started) : chargeInterrupted(ended, started);
}
