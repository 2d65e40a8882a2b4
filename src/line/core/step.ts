import { checkBreakers, breakers } from '../breakers/index.ts';
import type { JournalEntry, Moved } from '../record/journal-entry.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Status } from '../../base/names.ts';
import { findWriteFault } from '../record/read-entry.ts';
import type { Halt, Trip } from '../record/trip.ts';
import type { StepEvent } from '../record/step-event.ts';
import { foldEntry } from './fold-journal.ts';
import { decideTakeover } from './takeover.ts';

/** The result of a station's run: its journal entries and its outcome. */
export interface StepResult {
  readonly at: string;
  /** Entries already in the journal (calls, intents), for the machine's copy of the record. */
  readonly noted: readonly JournalEntry[];
  readonly event: StepEvent;
  readonly reason: string;
  readonly facts: Facts;
  /** Random; the file answers to a halt of this step contain it. */
  readonly nonce?: string;
}

/** The outcome of a step that andon could not take; it halts the task. */
export const createFaultOutcome = (fault: string) => ({ event: 'fault' as const, reason: fault, facts: { fault } });

/** The entry of a step's outcome when the line moves to `to`; a halt includes its trips and paths. */
export function createMoveEntry(record: TaskRecord, step: StepResult, to: Status): Moved {
  const entry = plainEntry(record, step, to);
  const trips = to === 'erik_consultation' ? listTrips(record, step) : [];
  const [trip] = trips;
  if (trip === undefined) return entry;
  const after = takeStep(record, step, record.status);
  const halt: Halt = {
    id: `${record.taskId}-${record.halts + 1}`,
    trip: toTrip(trip),
    also: trips.slice(1).map(toTrip),
    paths: [...trip.paths],
    statusBefore: record.status,
    reach: trips.some(({ reach }) => reach === 'line') ? 'line' : 'task',
    tree: after.change?.tree ?? null,
    ...(step.nonce === undefined ? {} : { nonce: step.nonce }),
  };
  return { ...entry, reason: `${trip.breaker}: ${trip.reason}`, facts: { ...entry.facts, halt } };
}

const toTrip = ({ breaker, reason, sides }: Trip): Trip => ({ breaker, reason, sides });

/** The trips of a step's outcome, in order of blame; none once the target contains the merge. */
export const listTrips = (record: TaskRecord, step: StepResult): ReturnType<typeof checkBreakers> =>
  step.facts.merge !== undefined ? [] : checkBreakers(takeStep(record, step, record.status));

/** A step's outcome; an unreadable journal becomes a halt instead of a crash of the daemon. */
export function ensureWritable(record: TaskRecord, step: StepResult): StepResult {
  const before = withNoted(record, step.noted);
  const alone = { ...step, noted: [] };
  const to = listTrips(before, alone).length === 0 ? before.status : 'erik_consultation';
  const why = findWriteFault(createMoveEntry(before, alone, to));
  if (why === undefined) return step;
  const reason = `the outcome "${step.event}" cannot be written into the journal: ${why}`;
  return { ...step, ...createFaultOutcome(reason) };
}

export function takeStep(record: TaskRecord, step: StepResult, to: Status): TaskRecord {
  const entry = plainEntry(record, step, to);
  return foldEntry(withNoted(record, step.noted), entry) ?? record;
}

/** A step's outcome in the journal, with a takeover that it causes. */
function plainEntry(record: TaskRecord, step: StepResult, to: Status): Moved {
  const { at, event, reason, facts } = step;
  const entry: Moved = { kind: 'moved', at, event, from: record.status, to, reason, facts };
  if (facts.takeover !== undefined) return entry; // already recorded
  const after = foldEntry(withNoted(record, step.noted), entry);
  const takeover = after === undefined ? undefined : decideTakeover(after);
  return takeover === undefined ? entry : { ...entry, facts: { ...facts, takeover } };
}

export const withNoted = (record: TaskRecord, noted: readonly JournalEntry[]): TaskRecord =>
  noted.reduce<TaskRecord>((before, entry) => foldEntry(before, entry) ?? before, record);

/** Every breaker's result for one transition, recomputed from the recorded evidence. */
export type Explained = ReturnType<typeof explainOne>;

/** Reruns all breakers for every transition of a task's stations. Pure: the journal alone decides. */
export function explain(entries: readonly JournalEntry[]): readonly Explained[] {
  const explained: Explained[] = [];
  let record: TaskRecord | undefined;
  for (const entry of entries) {
    if (entry.kind === 'moved' && record !== undefined && isStep(entry)) explained.push(explainOne(record, entry));
    record = foldEntry(record, entry);
  }
  return explained;
}

/** A person's choices are no evidence for a breaker. */
const isStep = (entry: Moved): boolean => entry.facts.choice === undefined && entry.event !== 'abandon';

function explainOne(record: TaskRecord, entry: Moved) {
  const { halt, ...facts } = entry.facts;
  const step = { at: entry.at, noted: [], event: entry.event, reason: entry.reason, facts };
  const after = takeStep(record, step, record.status);
  const answers = breakers.map((breaker) => ({
    breaker: breaker.id,
    question: breaker.question,
    trips: facts.merge === undefined ? breaker.check(after)?.reason : undefined, // a merge is final
  }));
  // In order of blame; empty for a transition without a halt.
  const now = answers.flatMap(({ breaker, trips }) => (trips === undefined ? [] : [breaker]));
  const recorded = halt === undefined ? [] : [halt.trip.breaker, ...halt.also.map(({ breaker }) => breaker)];
  const { at, event, from, to } = entry;
  return { at, event, from, to, recorded, answers, same: now.join() === recorded.join() };
}
