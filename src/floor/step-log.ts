import type { JournalEntry } from '../formats/journal-entry.ts';
import type { Facts } from '../formats/journal-entry.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { foldEntry } from '../line/record.ts';
import type { World } from './world.ts';

/** How a step came out, before it is stamped with the time. */
export interface StepOutcome {
  readonly event: string;
  readonly reason: string;
  readonly facts: Facts;
}

/** Thrown through a step that was told to stop; whatever it was doing does not count. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The record of a task while one of its steps runs: every entry is durable before the step goes on. */
export class StepLog {
  record: LineRecord;
  readonly noted: JournalEntry[] = [];
  private readonly world: World;

  constructor(world: World, record: LineRecord) {
    this.world = world;
    this.record = record;
  }

  note(entry: JournalEntry): void {
    this.world.journal.append(this.record.taskId, [entry]);
    this.noted.push(entry);
    this.record = foldEntry(this.record, entry) ?? this.record;
    this.world.say({ kind: 'entry', entry, record: this.record });
  }
}
