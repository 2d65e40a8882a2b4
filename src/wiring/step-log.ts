import type { JournalEntry } from '../record/journal-entry.ts';
import type { Facts } from '../record/facts.ts';
import type { LineRecord } from '../record/line-record.ts';
import { foldEntry } from '../line/record.ts';
import { Landings } from './landings.ts';
import type { Services } from './services.ts';

export { Stopped } from './landings.ts';

/** How a step came out, before it is stamped with the time. */
export interface StepOutcome {
  readonly event: string;
  readonly reason: string;
  readonly facts: Facts;
}

/** The record of a task while one of its steps runs: every entry is durable before the step goes on. */
export class StepLog {
  record: LineRecord;
  readonly noted: JournalEntry[] = [];
  /** When the target is moved. */
  readonly landings: Landings;
  private readonly services: Services;

  constructor(services: Services, record: LineRecord, landings = new Landings()) {
    this.services = services;
    this.record = record;
    this.landings = landings;
  }

  note(entry: JournalEntry): void {
    this.services.journal.append(this.record.taskId, [entry]);
    this.noted.push(entry);
    this.record = foldEntry(this.record, entry) ?? this.record;
    this.services.say({ kind: 'entry', entry, record: this.record });
  }
}
