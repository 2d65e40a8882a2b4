import type { JournalEntry } from '../record/journal-entry.ts';

/** An entry of the journal, as whoever follows it is told. */
export interface Told {
  readonly seq: number;
  readonly taskId: string;
  readonly entry: JournalEntry;
}

/** What happens in a repository, told to whoever shows it: a log, a board. It reads what is in the journal and nothing else. */
export interface Events {
  /**
   * Tells every entry after `seq` once, in order, those that are there and those that come, also of a journal that is not
   * there yet; until it is closed, or the journal can be followed no further: then `ended` is told why, once.
   */
  follow(seq: number, told: (what: Told) => void, ended: (why: unknown) => void): { close(): void };
}
