import type { AuditEntry, NewAuditEntry } from '../rule-model/audit-entry.ts';

/** The two append-only logs of the rules of one repository; several processes may write to them. */
export interface AuditLog {
  /** Their folder, for people. */
  readonly folder: string;
  /** Appends entries; each gets the next number of its day and the hash of the entry before it. Durable on return. */
  append(entries: readonly NewAuditEntry[]): Promise<void>;
  /** The logged violations, oldest first, and the number of unreadable lines; for a very long log only its end. */
  violations(): { readonly entries: readonly AuditEntry[]; readonly unreadable: number };
}
