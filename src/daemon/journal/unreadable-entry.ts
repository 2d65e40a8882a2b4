import type { LineRecord } from '../../record/line-record.ts';
import type { StepOutcome } from '../wiring/step-log.ts';

/** The outcome of whatever was to be done while an entry of the task cannot be read: nothing rests on what it may say. */
export function unreadableEntry({ taskId, unreadable }: LineRecord): StepOutcome | undefined {
  if (unreadable === undefined) return undefined;
  const { seq, why } = unreadable;
  const reason = `entry ${seq} of the journal cannot be read (${why}): a newer andon wrote it, or an older one a figure that was none; what it says of ${taskId} is not known`;
  return { event: 'fault', reason, facts: { fault: reason, unreadable: seq } };
}
