import { describeSendBack } from '../../line/comments.ts';
import { foldJournal } from '../../line/record.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Needs } from '../../wiring/services.ts';

/** A change with open comments of a person goes back to the implementer; undefined without one, and at the implementer. */
export const sendBack = (record: LineRecord): StepOutcome | undefined =>
  record.comments.length === 0 || record.status === 'pending_implementer'
    ? undefined
    : { event: 'sent_back', reason: describeSendBack(record.comments), facts: {} };

/** The same with the comments that came while the step ran. */
export const sendBackLate = ({ journal }: Needs<'journal'>, record: LineRecord): StepOutcome | undefined =>
  sendBack(foldJournal(journal.entries(record.taskId)) ?? record);
