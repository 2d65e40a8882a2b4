import { breakers } from './breakers/index.ts';
import type { JournalEntry, Moved } from '../record/journal-entry.ts';
import type { LineRecord } from '../record/line-record.ts';
import { foldEntry } from './record.ts';
import { takeStep } from './step.ts';

/** Every breaker's result for one transition, recomputed from the recorded evidence. */
export type Explained = ReturnType<typeof explainOne>;

/** Reruns all breakers for every transition of a task's stations. Pure: the journal alone decides. */
export function explain(entries: readonly JournalEntry[]): readonly Explained[] {
  const told: Explained[] = [];
  let record: LineRecord | undefined;
  for (const entry of entries) {
    if (entry.kind === 'moved' && record !== undefined && isStep(entry)) told.push(explainOne(record, entry));
    record = foldEntry(record, entry);
  }
  return told;
}

/** A person's choices are no evidence for a breaker. */
const isStep = (entry: Moved): boolean => entry.facts.choice === undefined && entry.event !== 'abandon';

function explainOne(record: LineRecord, entry: Moved) {
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
