import type { JournalEntry } from '../record/journal-entry.ts';

/** An entry at its place in the journal. */
export interface PlacedEntry {
  readonly seq: number;
  readonly taskId: string;
  readonly entry: JournalEntry;
}

/** An entry that is checked only on access, because checking is slower than reading. */
export interface WrittenEntry extends PlacedEntry {
  /** Its unchecked head: enough to decide whether the entry is needed. */
  readonly glance: Glance;
}

/** The head of a row; empty for an unreadable one. */
export interface Glance {
  readonly kind?: unknown;
  readonly at?: unknown;
  /** The target of a transition. */
  readonly to?: unknown;
}

/** A place in the chain. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

/** A read from a link on: up to the first entry that breaks the chain, where to look for the culprit. */
interface ReadOn {
  readonly entries: readonly WrittenEntry[];
  readonly brokenAt: number | undefined;
  /** Where the next read continues. */
  readonly upTo: ChainLink;
}

/** The append-only, hash-chained history of one repository; one writer. */
export interface Journal {
  /** Writes entries durably and atomically; throws when another process has written since. */
  append(taskId: string, entries: readonly JournalEntry[]): ChainLink;
  entries(taskId: string): readonly JournalEntry[];
  /** The entries of all tasks after a sequence number. */
  since(seq: number): readonly (ChainLink & PlacedEntry)[];
  /**
   * Everything after a link, or from the beginning, in one read that checks the chain. Undefined where the journal has
   * no such link any more: it was cut or replaced.
   */
  readOn(from?: ChainLink): ReadOn | undefined;
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
