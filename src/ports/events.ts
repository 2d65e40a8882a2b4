import type { JournalEntry } from '../record/journal-entry.ts';

/** An entry of the journal, as followers get it. */
export interface JournalEvent {
  readonly seq: number;
  readonly taskId: string;
  readonly entry: JournalEntry;
}

/** A stream of the journal's entries for a log or a board. It reads only the journal. */
export interface Events {
  /**
   * Calls `told` once for every entry after `seq`, in order, past and future, even for a journal that does not exist
   * yet. It stops when it is closed. When the journal can no longer be followed, it calls `ended` once with the reason.
   */
  follow(seq: number, told: (what: JournalEvent) => void, ended: (why: unknown) => void): { close(): void };
}
