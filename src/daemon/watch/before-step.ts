import { heldByTarget, mergedAs, takenBack } from '../git/held-by-target.ts';
import { movedRefs } from '../git/moved-refs.ts';
import { lostRefs } from '../git/lost-refs.ts';
import { unreadableEntry } from '../journal/unreadable-entry.ts';
import { onRewritten, targetHasIt } from '../git/rewritten-target.ts';
import type { StepLog, StepOutcome } from '../wiring/step-log.ts';
import type { Services } from '../wiring/services.ts';

/**
 * What is asked before any step is done, at this one place: whether the repository is still where it was, whether the target holds the merge, what git holds of the task, whether somebody moved its
 * refs, and whether the target still holds what it builds on. What comes of it stands in the step's place.
 */
export async function beforeStep(services: Services, log: StepLog): Promise<StepOutcome | undefined> {
  services.mustBeHere();
  const standing = await heldByTarget(services, log.record);
  if (standing.is === 'merged') return mergedAs(log.record, standing.merge);
  if (standing.is === 'taken back') return takenBack(log.record, standing.merge);
  const unread = unreadableEntry(log.record);
  if (unread !== undefined) return unread;
  const target = await services.repository.resolve(log.record.target);
  const lost = target === undefined ? undefined : await lostRefs(services, log.record, target);
  if (lost !== undefined) return lost;
  const moved = await movedRefs(services, log.record);
  if (moved !== undefined) return { event: 'fault', reason: moved, facts: { fault: moved } };
  if (target === undefined) return undefined;
  const rewritten = await onRewritten(services, log.record, target);
  if (rewritten !== undefined) return rewritten;
  return log.record.change?.files.length === 0 ? targetHasIt(log.record, target) : undefined;
}
