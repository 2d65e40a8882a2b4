import type { LineRecord } from '../../record/line-record.ts';
import { whyUnwritable } from '../../record/read-entry.ts';
import { foldEntry } from '../../line/record.ts';
import { movedEntry, tripsOf } from '../../line/step.ts';
import type { StepResult } from '../../line/step.ts';

/** A step's outcome, or the fault that it is when the journal could not be read with it: a halt, and not the daemon's end. */
export function writable(record: LineRecord, step: StepResult): StepResult {
  const before = step.noted.reduce<LineRecord>((known, entry) => foldEntry(known, entry) ?? known, record);
  const alone = { ...step, noted: [] };
  const to = tripsOf(before, alone).length === 0 ? before.status : 'erik_consultation';
  const why = whyUnwritable(movedEntry(before, alone, to));
  if (why === undefined) return step;
  const reason = `the outcome "${step.event}" cannot be written into the journal: ${why}`;
  return { ...step, event: 'fault', reason, facts: { fault: reason } };
}
