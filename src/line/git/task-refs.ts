import { createBlockedOutcome } from './follow-target.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toAttemptRef, toBranchName, toTaskBranch, type Status } from '../../base/names.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import { createFaultOutcome } from '../core/step.ts';
import type { Needs } from '../services/services.ts';

/**
 * A task's refs keep its commits alive in git. Deleted ones are made again, from what git and andon's
 * own git directory still hold; where that is not the whole change, the outcome says so and what to do.
 */
export async function restoreLostRefs(
  services: Needs<'repository' | 'say'>,
  record: TaskRecord,
  target: string,
): Promise<StepOutcome | undefined> {
  const { repository } = services;
  const { taskId, change } = record;
  if (change === undefined) return undefined;
  const [branch, pin] = [toTaskBranch(taskId), toAttemptRef(taskId, change.attempt)];
  if ((await repository.resolve(pin)) !== undefined) return undefined; // where it was moved, that is another question
  const pins = await repository.refsUnder(`refs/andon/${taskId}/`);
  if (pins.some(({ commit }) => commit === change.commit)) return undefined;
  const name = `attempt ${change.attempt} (${change.commit.slice(0, 12)})`;
  const isBranchGone = (await repository.resolve(branch)) === undefined;
  const refs = [{ ref: pin, to: change.commit }, ...(isBranchGone ? [{ ref: branch, to: change.commit }] : [])];
  const why = (await repository.isWhole(change.commit, target))
    ? await restored(services, refs)
    : 'it is not whole any more';
  if (why === undefined) {
    const what = isBranchGone ? `its refs and the branch ${toBranchName(branch)} were` : 'its refs were';
    const text = `${taskId}: ${what} deleted while it ran; they keep ${name} again`;
    services.say({ kind: 'word', level: 'warn', text });
    return undefined;
  }
  const reason = `git no longer has ${name}: refs/andon/${taskId}/ was deleted and what it kept was pruned, and andon cannot put it back (${why}); path 1 makes the change again on ${toBranchName(record.target)}`;
  return createBlockedOutcome({ reason, conflictsWith: target });
}

async function restored(
  { repository }: Needs<'repository'>,
  refs: readonly { readonly ref: string; readonly to: string }[],
): Promise<string | undefined> {
  const made = await repository.restore(refs);
  return made.ok ? undefined : made.why;
}

/** The states in which the refs must name the current change. */
const GUARDED: readonly Status[] = [
  'pending_local_review',
  'pending_judge_review',
  'review_in_progress',
  'review_complete',
];

/**
 * Says why the line stops when the task's branch or the ref of its attempt was moved since andon's last step. What is
 * judged and merged comes from the journal, never from a ref; but a moved ref has a reason, and a person should know it.
 */
export async function reportMovedRefs(
  services: Needs<'repository'>,
  { status, taskId, change }: TaskRecord,
): Promise<StepOutcome | undefined> {
  if (change === undefined || !GUARDED.includes(status)) return undefined;
  const { repository } = services;
  const [branch, pin] = [toTaskBranch(taskId), toAttemptRef(taskId, change.attempt)];
  const head = await repository.resolve(branch);
  if (head !== undefined && head !== change.commit)
    return describeMovedRef(
      `the branch ${toBranchName(branch)}`,
      [head, change.commit],
      `With path 1 commits on top of it are checked and judged. To drop them: \`git switch -\` if you are on that branch, then git branch -f task/${taskId} ${change.commit}`,
    );
  const pinned = await repository.resolve(pin);
  if (pinned === undefined || pinned === change.commit) return undefined;
  const others = await repository.refsUnder(`refs/andon/${taskId}/`);
  if (others.some(({ commit }) => commit === change.commit)) return undefined;
  return describeMovedRef(
    `the ref ${pin}`,
    [pinned, change.commit],
    `Keep what you need of it, then put it back: git update-ref ${pin} ${change.commit}`,
  );
}

const describeMovedRef = (what: string, [found, ours]: readonly [string, string], remedy: string): StepOutcome =>
  createFaultOutcome(
    `${what} was moved to ${found.slice(0, 12)} while the task was running; andon made it ${ours.slice(0, 12)}. ${remedy}`,
  );
