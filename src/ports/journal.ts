import type { JournalEntry } from '../record/journal-entry.ts';

/** An entry in its place, which is checked when it is asked for: that takes longer than to read it. */
export interface Written {
  readonly seq: number;
  readonly taskId: string;
  readonly entry: JournalEntry;
  /** What its row says, unchecked: enough to know whether anybody wants the entry. */
  readonly glance: Glance;
}

/** The head of a row; nothing of one that cannot be read. */
export interface Glance {
  readonly kind?: unknown;
  readonly at?: unknown;
  /** Where a transition leads. */
  readonly to?: unknown;
}

/** A place in the chain. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
}

/** A reading of what comes behind a place: up to the first entry that breaks the chain, which is where to look for who changed it. */
interface ReadOn {
  readonly entries: readonly Written[];
  readonly brokenAt: number | undefined;
  /** From where the next reading goes on. */
  readonly upTo: Link;
}

/** The append-only, hash-chained story of one repository; one writer. */
export interface Journal {
  /** Writes entries durably and atomically; throws when another process has written since. */
  append(taskId: string, entries: readonly JournalEntry[]): Link;
  entries(taskId: string): readonly JournalEntry[];
  /** What was written after a sequence number, of all tasks. */
  since(seq: number): readonly (Link & Omit<Written, 'glance'>)[];
  /**
   * Everything after a link, or from the beginning, in one read that checks the chain. Undefined where the journal has
   * no such link any more: it was cut or replaced.
   */
  readOn(from?: Link): ReadOn | undefined;
  /** The sequence number of the newest entry; 0 for an empty journal. */
  head(): number;
  /** Every task ever admitted, oldest first. */
  taskIds(): readonly string[];
  /**
   * The sequence number of the first entry that breaks the chain; undefined when it is whole. The result is cached
   * until another process writes.
   */
  verify(): number | undefined;
  /** Reads the basis of the newest task from the disk, past every cache; returns what does not fit, or undefined. */
  verifyOnDisk(): string | undefined;
  close(): void;
}
