import type { AuditEntry, NewAuditEntry } from '../rule-model/audit-entry.ts';

/** The two append-only logs of the rules of one repository; several processes may write to them. */
export interface AuditLog {
  /** Where they lie, for people. */
  readonly folder: string;
  /** Appends entries; each gets the next number of its day and the hash of the entry before it. Durable on return. */
  append(entries: readonly NewAuditEntry[]): Promise<void>;
  /** The violations that were written down, oldest first, and how many lines cannot be read; of a very long log its end. */
  violations(): { readonly entries: readonly AuditEntry[]; readonly unreadable: number };
}
