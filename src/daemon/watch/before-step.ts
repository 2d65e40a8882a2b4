import type { LineRecord } from '../../record/line-record.ts';
import { readMergeState, createMergedOutcome, createRevertedOutcome } from '../git/merge-state.ts';
import { restoreLostRefs, reportMovedRefs } from '../git/task-refs.ts';
import { applyNewConfiguration } from '../git/new-configuration.ts';
import { handleMovedTarget, handleRewrittenTarget, createEmptyChangeOutcome } from '../git/rewritten-target.ts';
import type { StepLog, StepOutcome } from '../../wiring/step-log.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * What is asked before any step is done, at this one place: whether the repository is still where it was, whether the target holds the merge, what git holds of the task, whether somebody moved its
 * refs, and whether the target still holds what it builds on. What comes of it stands in the step's place.
 */
export async function beforeStep(services: Services, log: StepLog): Promise<StepOutcome | undefined> {
  services.mustBeHere();
  const standing = await readMergeState(services, log.record);
  if (standing.is === 'merged') return createMergedOutcome(log.record, standing.merge);
  if (standing.is === 'taken back') return createRevertedOutcome(log.record, standing.merge);
  const unread = unreadableEntry(log.record);
  if (unread !== undefined) return unread;
  const target = await services.repository.resolve(log.record.target);
  const lost = target === undefined ? undefined : await restoreLostRefs(services, log.record, target);
  if (lost !== undefined) return lost;
  const moved = await reportMovedRefs(services, log.record);
  if (moved !== undefined) return { event: 'fault', reason: moved, facts: { fault: moved } };
  if (target === undefined) return undefined;
  const rewritten = await handleRewrittenTarget(services, log.record, target);
  if (rewritten !== undefined) return rewritten;
  const reconfigured = await applyNewConfiguration(services, log.record, target);
  if (reconfigured !== undefined) return reconfigured;
  const parked = await handleMovedTarget(services, log.record, target);
  if (parked !== undefined) return parked;
  return log.record.change?.files.length === 0 ? createEmptyChangeOutcome(log.record, target) : undefined;
}

/** The outcome of whatever was to be done while an entry of the task cannot be read: nothing rests on what it may say. */
function unreadableEntry({ taskId, unreadable }: LineRecord): StepOutcome | undefined {
  if (unreadable === undefined) return undefined;
  const { seq, why } = unreadable;
  const reason = `entry ${seq} of the journal cannot be read (${why}): a newer andon wrote it, or an older one a figure that was none; what it says of ${taskId} is not known`;
  return { event: 'fault', reason, facts: { fault: reason, unreadable: seq } };
}
