import { Stopped } from './stopped.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import { maskEntry, type NotedEntry } from '../core/mask-facts.ts';
import type { FloorDecision } from '../core/decide-on-change.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { foldEntry } from '../core/fold-journal.ts';
import type { StepResult } from '../core/step.ts';
import type { Needs } from '../services/services.ts';
import type { Journal } from './journal.ts';

export type StepOutcome = Pick<StepResult, 'event' | 'reason' | 'facts'>;

/** A person's decision on the report of a record; undefined without a valid one. */
export type ReadDecision = (record: TaskRecord) => FloorDecision | undefined;

/** The record of a task while one of its steps runs: every entry is durable before the step goes on. */
export class StepJournal {
  record: TaskRecord;
  readonly noted: JournalEntry[] = [];
  /** When the target is moved. */
  readonly landings: MergeCriticalSection;
  readonly readDecision: ReadDecision;
  private readonly services: Needs<'journal' | 'say'>;

  constructor(
    services: Needs<'journal' | 'say'>,
    record: TaskRecord,
    landings = new MergeCriticalSection(),
    readDecision: ReadDecision = () => undefined,
  ) {
    this.services = services;
    this.record = record;
    this.landings = landings;
    this.readDecision = readDecision;
  }

  note(given: NotedEntry): void {
    const entry = maskEntry(given); // what the step goes on with is what was written
    this.services.journal.append(this.record.taskId, [entry]);
    this.noted.push(entry);
    this.record = foldEntry(this.record, entry) ?? this.record;
    this.services.say({ kind: 'entry', entry, record: this.record });
  }
}

/** The moments in which a target is moved: none begins once its step was stopped, and no halt interrupts one. */
export class MergeCriticalSection {
  begun = 0;
  private now: Promise<unknown> | undefined;

  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    if (signal.aborted) throw new Stopped();
    this.begun += 1;
    const done = work();
    this.now = done;
    try {
      return await done;
    } finally {
      this.now = undefined;
    }
  }

  async idle(): Promise<void> {
    while (this.now !== undefined) await this.now.catch(() => {});
  }
}

/** Another program changed the journal on disk: andon neither relies on it nor writes to it any more. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

/** Throws when the journal's file does not hold, link by link, what this andon has written and read. */
export function refuseDamage(journal: Journal): void {
  const damage = journal.verifyOnDisk();
  if (damage !== undefined)
    throw new JournalDamaged(`the journal was changed by another program, ${damage}; see andon doctor --journal`);
}
