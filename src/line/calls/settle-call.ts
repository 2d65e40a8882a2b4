import { chargeInterrupted } from '../core/cost.ts';
import { chargeCall, chargeHeld } from '../../agents/budget/charge.ts';
import type { JournalEntry, Started } from '../record/journal-entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ledger, OpenCall, SettledCall } from '../../agents/ledger.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** How a call ended, as the journal holds it. */
export type EndedCall = Extract<JournalEntry, { kind: 'called' | 'held' | 'interrupted' }>;

/** The dollars of a call that did not report them: unknown, or none of a free call, for which nothing is reserved. */
export const countUnreported = (reserveUsd: number | null): 0 | null => (reserveUsd === 0 ? 0 : null);

/** The end of a call whose andon died: it ran at least until that andon's last sign of life, and at most its limit. Its
 * usage is unknown, so what was reserved for it is charged. */
export function describeCutCall(
  { clock, lastSeen }: Needs<'clock' | 'lastSeen'>,
  { station, call, at, hardMinutes, reserveUsd }: Started,
): EndedCall {
  const ran = lastSeen === undefined ? undefined : Math.max(0, Date.parse(lastSeen) - Date.parse(at));
  const ms = ran === undefined ? undefined : Math.min(ran, hardMinutes * 60_000);
  return {
    kind: 'interrupted',
    at: clock.now(),
    station,
    call,
    usd: countUnreported(reserveUsd),
    ...(ms === undefined ? {} : { ms }),
  };
}

/**
 * Writes into the ledger what a call came to. What was set aside counts until that is written, so a failure here loses
 * nothing: the next start reads it from the journal.
 */
export function settleCall(
  { ledger, stateName, say }: Needs<'ledger' | 'stateName' | 'say'>,
  task: string,
  started: Started,
  ended: EndedCall,
): void {
  const { call, at } = started;
  try {
    ledger.settle({ state: stateName, task, call, at }, chargeOf(ended, started));
  } catch (error) {
    const why = getErrorMessage(error);
    say({ kind: 'word', level: 'warn', text: `what ${task}'s call ${call} came to is not in the ledger yet: ${why}` });
  }
}

/**
 * Settles calls of one repository whose andon is gone, by what its journal says of each: what it came to; that it was
 * never made; or nothing yet, and then all that was set aside goes on to count. Says how many were settled.
 */
export function settleLeft(ledger: Ledger, left: readonly OpenCall[], journal: Pick<Journal, 'entries'>): number {
  let settled = 0;
  for (const one of left) {
    const entries = journal.entries(one.task);
    if (entries.some(({ kind }) => kind === 'unreadable')) continue; // it may tell of this call
    const began = entries.findIndex(
      (entry) => entry.kind === 'started' && entry.call === one.call && entry.at === one.at,
    );
    const started = entries[began];
    if (started?.kind !== 'started') ledger.release(one);
    else {
      const ended = entries.slice(began).find((entry) => isEnd(entry) && entry.call === one.call);
      if (ended === undefined || !isEnd(ended)) continue;
      ledger.settle(one, chargeOf(ended, started));
    }
    settled += 1;
  }
  return settled;
}

const isEnd = (entry: JournalEntry): entry is EndedCall =>
  entry.kind === 'called' || entry.kind === 'held' || entry.kind === 'interrupted';

function chargeOf(ended: EndedCall, started: Started): SettledCall {
  if (ended.kind === 'held') return chargeHeld(ended);
  return ended.kind === 'called' ? chargeCall(ended, started) : chargeInterrupted(ended, started);
}
