import type { LineRecord } from '../../record/line-record.ts';
import { attemptRef, branchName, taskBranch } from '../../base/names.ts';
import type { Status } from '../../base/names.ts';
import type { Services } from '../../wiring/services.ts';

/** Where the change that is worked on is the one that refs must name. */
const GUARDED: readonly Status[] = [
  'pending_local_review',
  'pending_judge_review',
  'review_in_progress',
  'review_complete',
];

/**
 * Says so when somebody has moved the task's branch or the ref of its attempt since andon's last step. What is judged and
 * merged comes from the journal, never from a ref; but whoever moves one wants something, and a human should know.
 */
export async function movedRefs(
  services: Services,
  { status, taskId, change }: LineRecord,
): Promise<string | undefined> {
  if (change === undefined || !GUARDED.includes(status)) return undefined;
  const { repository } = services;
  const [branch, pin] = [taskBranch(taskId), attemptRef(taskId, change.attempt)];
  const head = await repository.resolve(branch);
  if (head !== undefined && head !== change.commit)
    return inWords(`the branch ${branchName(branch)}`, head, change.commit, `git branch -f task/${taskId}`);
  const pinned = await repository.resolve(pin);
  if (pinned === undefined || pinned === change.commit) return undefined;
  const others = await repository.refsUnder(`refs/andon/${taskId}/`);
  if (others.some(({ commit }) => commit === change.commit)) return undefined;
  return inWords(`the ref ${pin}`, pinned, change.commit, `git update-ref ${pin}`);
}

const inWords = (what: string, found: string, ours: string, command: string): string =>
  `somebody moved ${what} to ${found.slice(0, 12)} while the task was running; andon made it ${ours.slice(0, 12)}. Keep what you need of it, then put it back: ${command} ${ours}`;
