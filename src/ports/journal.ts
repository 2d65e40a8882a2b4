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

/** The append-only, hash-chained story of one repository; one writer. */
export interface Journal {
  /** Writes entries durably, all or none; throws when somebody else has written since. */
  append(taskId: string, entries: readonly JournalEntry[]): { readonly seq: number; readonly hash: string };
  entries(taskId: string): readonly JournalEntry[];
  /** What was written after a sequence number, of all tasks. */
  since(seq: number): readonly {
    readonly seq: number;
    readonly hash: string;
    readonly taskId: string;
    readonly entry: JournalEntry;
  }[];
  /** Everything there is, and the first entry that breaks the chain, in one reading; what comes from there on is not given. */
  whole(): { readonly entries: readonly Written[]; readonly brokenAt: number | undefined };
  /** The sequence number of the newest entry; 0 when there is none. */
  head(): number;
  /** Every task ever admitted, oldest first. */
  taskIds(): readonly string[];
  /** The sequence number of the first entry that breaks the chain; undefined when it is whole. Asked again it costs nothing while nobody else wrote. */
  verify(): number | undefined;
  /** Reads from the disk anew, past every cache, what the newest task rests on; says what does not fit, else undefined. */
  verifyOnDisk(): string | undefined;
  close(): void;
}
