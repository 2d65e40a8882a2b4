import { checkBreakers, pathsOf, reachOfTrips } from './breakers/index.ts';
import type { JournalEntry, Moved } from '../record/journal-entry.ts';
import type { Facts } from '../record/facts.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { Status } from '../base/names.ts';
import { whyUnwritable } from '../record/read-entry.ts';
import type { Halt, Trip } from '../record/trip.ts';
import { foldEntry } from './record.ts';
import { takeoverAfter } from './takeover.ts';

/** What one run of a station gives back: the entries it wrote on the way, and how it came out. */
export interface StepResult {
  readonly at: string;
  /** Entries that are in the journal already (calls, intents), for the machine's copy of the record. */
  readonly noted: readonly JournalEntry[];
  readonly event: string;
  readonly reason: string;
  readonly facts: Facts;
  /** Unguessable; a halt that comes of this step is answered in files only by its name. */
  readonly nonce?: string;
}

/** The entry that a step's outcome becomes when the line moves to `to`; a halt takes its trips and paths with it. */
export function movedEntry(record: LineRecord, step: StepResult, to: Status): Moved {
  const entry = plainEntry(record, step, to);
  const trips = to === 'erik_consultation' ? tripsOf(record, step) : [];
  const [trip] = trips;
  if (trip === undefined) return entry;
  const after = takeStep(record, step, record.status);
  const halt: Halt = {
    id: `${record.taskId}-${record.halts + 1}`,
    trip,
    also: trips.slice(1),
    paths: [...pathsOf(trip, after)],
    statusBefore: record.status,
    reach: reachOfTrips(trips, after),
    tree: after.change?.tree ?? null,
    ...(step.nonce === undefined ? {} : { nonce: step.nonce }),
  };
  return { ...entry, reason: `${trip.breaker}: ${trip.reason}`, facts: { ...entry.facts, halt } };
}

/** The trips that a step's outcome causes, in order of blame; none once the target holds the merge, whatever else is so. */
export const tripsOf = (record: LineRecord, step: StepResult): readonly Trip[] =>
  step.facts.merge !== undefined ? [] : checkBreakers(takeStep(record, step, record.status));

/** A step's outcome, or the fault that it is when the journal could not be read with it: a halt, and not the daemon's end. */
export function writable(record: LineRecord, step: StepResult): StepResult {
  const before = withNoted(record, step.noted);
  const alone = { ...step, noted: [] };
  const to = tripsOf(before, alone).length === 0 ? before.status : 'erik_consultation';
  const why = whyUnwritable(movedEntry(before, alone, to));
  if (why === undefined) return step;
  const reason = `the outcome "${step.event}" cannot be written into the journal: ${why}`;
  return { ...step, event: 'fault', reason, facts: { fault: reason } };
}

/** The record as it is after a step, were the line to move to `to`. */
export function takeStep(record: LineRecord, step: StepResult, to: Status): LineRecord {
  const entry = plainEntry(record, step, to);
  return foldEntry(withNoted(record, step.noted), entry) ?? record;
}

/** A step's outcome as the journal holds it, with who takes the work over because of it. */
function plainEntry(record: LineRecord, step: StepResult, to: Status): Moved {
  const { at, event, reason, facts } = step;
  const entry: Moved = { kind: 'moved', at, event, from: record.status, to, reason, facts };
  if (facts.takeover !== undefined) return entry; // as it is recorded
  const after = foldEntry(withNoted(record, step.noted), entry);
  const takeover = after === undefined ? undefined : takeoverAfter(after);
  return takeover === undefined ? entry : { ...entry, facts: { ...facts, takeover } };
}

/** The record with entries that were written meanwhile. */
export const withNoted = (record: LineRecord, noted: readonly JournalEntry[]): LineRecord =>
  noted.reduce<LineRecord>((before, entry) => foldEntry(before, entry) ?? before, record);
