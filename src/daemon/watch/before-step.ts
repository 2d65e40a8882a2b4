import type { LineRecord } from '../../record/line-record.ts';
import { readMergeState, createMergedOutcome, createRevertedOutcome } from '../git/merge-state.ts';
import { restoreLostRefs, reportMovedRefs } from '../git/task-refs.ts';
import { applyNewConfiguration } from '../git/new-configuration.ts';
import { handleMovedTarget, handleRewrittenTarget, createEmptyChangeOutcome } from '../git/rewritten-target.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { Needs } from '../../wiring/services.ts';

/**
 * The preconditions of every step: the repository is in place, the target holds no merge yet, the refs of the task are
 * there and unmoved, and the target still holds the base. A violated one gives the outcome in place of the step's.
 */
export async function beforeStep(
  services: Needs<'configuration' | 'digest' | 'mustBeHere' | 'repository' | 'say'>,
  log: StepJournal,
): Promise<StepOutcome | undefined> {
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

/** The outcome of a step while an entry of the task cannot be read: no step may rely on a part of the journal. */
function unreadableEntry({ taskId, unreadable }: LineRecord): StepOutcome | undefined {
  if (unreadable === undefined) return undefined;
  const { seq, why } = unreadable;
  const reason = `entry ${seq} of the journal cannot be read (${why}): a newer andon wrote it, or an older one a figure that was none; what it says of ${taskId} is not known`;
  return { event: 'fault', reason, facts: { fault: reason, unreadable: seq } };
}
