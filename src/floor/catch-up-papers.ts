import type { LineRecord } from '../formats/line-record.ts';
import { foldSealed } from '../line/record.ts';
import { activeTask } from './active-task.ts';
import { catchUpTransitions } from './catch-up-transitions.ts';
import { archiveEnded, archiveHalt, hasEdits, showContract } from './paperwork.ts';
import type { World } from './world.ts';

/** Brings `_handoff/` to what the journal says, in case a crash fell between the two; gives the task that has not ended. */
export function catchUpPapers(world: World): LineRecord | undefined {
  catchUpTransitions(world);
  const record = activeTask(world);
  if (record === undefined) {
    archiveEnded(world);
    return undefined;
  }
  if (!hasEdits(world, record)) showContract(world, foldSealed(world.journal.entries(record.taskId)) ?? record);
  if (record.halt === undefined && record.lastChoice !== undefined) archiveHalt(world, record, record.lastChoice.halt);
  return record;
}
