import type { LineRecord } from '../../record/line-record.ts';
import { foldSealed } from '../../line/record.ts';
import { activeTask } from '../journal/active-task.ts';
import { catchUpTransitions } from './catch-up-transitions.ts';
import { archiveEnded, archiveHalt, hasEdits, showContract } from './paperwork.ts';
import type { Services } from '../wiring/services.ts';

/** Brings `_handoff/` to what the journal says, in case a crash fell between the two; gives the task that has not ended. */
export function catchUpPapers(services: Services): LineRecord | undefined {
  catchUpTransitions(services);
  const record = activeTask(services);
  if (record === undefined) {
    archiveEnded(services);
    return undefined;
  }
  if (!hasEdits(services, record))
    showContract(services, foldSealed(services.journal.entries(record.taskId)) ?? record);
  if (record.halt === undefined && record.lastChoice !== undefined)
    archiveHalt(services, record, record.lastChoice.halt);
  return record;
}
