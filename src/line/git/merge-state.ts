import type { TaskRecord } from '../record/task-record.ts';
import { toBranchName } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import {
  RECEIPT_PATTERNS,
  isReceipt,
  mergePin,
  listReceiptPatterns,
  computeMergeState,
  type MergeState,
} from '../core/compute-merge-state.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Needs, TargetCommit } from '../services/services.ts';

type Merge = NonNullable<TaskRecord['merge']>;

const OPEN: MergeState = { is: 'open' };

/**
 * What the target holds of a task: the first question before any trip, attempt or recovery. A merge is known by its
 * receipt, which is stored with the effect: the commit that the journal planned, the pin that is published right
 * before the target moves, and the trailers in the target itself, whichever journal they came from.
 */
export async function readMergeState(services: Needs<'repository'>, record: TaskRecord): Promise<MergeState> {
  const { repository } = services;
  const target = await repository.resolve(record.target);
  if (target === undefined) return OPEN;
  const made = await mergesMade(services, record);
  const held = new Set<string>();
  for (const commit of new Set(made.flatMap((merge) => [merge.commit, merge.tip])))
    if (await repository.isAncestor(commit, target)) held.add(commit);
  const isHeld = made.some(({ commit }) => held.has(commit));
  const commit =
    isHeld || target === record.base
      ? undefined
      : await findReceipt(services, record.taskId, { ref: record.target, commit: target, without: record.base });
  const found = commit === undefined ? undefined : { commit, tip: commit, target: record.target };
  const left = isHeld || made.length === 0 ? [] : await repository.leftBehind(record.target);
  return computeMergeState({ made, held, found, left: new Set(left), known: record.takenBack });
}

/** The newest merge of a task that a target's history holds, by its trailers; of what `without` has not. */
export async function findReceipt(
  { repository }: Needs<'repository'>,
  taskId: string,
  { without, ...target }: TargetCommit & { readonly without?: string },
): Promise<string | undefined> {
  if (without === undefined) {
    const all = await repository.searchHistory(target, RECEIPT_PATTERNS);
    return all.find(({ trailers }) => isReceipt(trailers, taskId))?.commit;
  }
  const alike = await repository.commitsLike({ within: target.commit, without, lines: listReceiptPatterns(taskId) });
  return alike.find(({ message }) => isReceipt(message, taskId))?.commit;
}

/** Merges that were built and pinned, whether the target ever came to hold them or not. */
async function mergesMade({ repository }: Needs<'repository'>, record: TaskRecord): Promise<readonly Merge[]> {
  const { merge, taskId, target } = record;
  const noted = merge === undefined ? [] : [merge];
  const tip = await repository.resolve(mergePin(taskId));
  if (tip === undefined || tip === merge?.tip) return noted;
  const pinned = await repository.commitsLike({ within: tip, most: 1, lines: listReceiptPatterns(taskId) });
  const commit = pinned.find(({ message }) => isReceipt(message, taskId))?.commit;
  return commit === undefined ? noted : [...noted, { commit, tip, target }];
}

/** The outcome of whatever was under way, once the target holds the merge. */
export const createMergedOutcome = (record: TaskRecord, merge: Merge): StepOutcome => ({
  event: 'pass',
  reason: `merged into ${toBranchName(record.target)} as ${merge.commit.slice(0, 12)}`,
  facts: { merge },
});

/** The outcome of a step whose task the target holds or has held; undefined while it is open. */
export async function settleMerge(services: Needs<'repository'>, record: TaskRecord): Promise<StepOutcome | undefined> {
  const standing = await readMergeState(services, record);
  if (standing.is === 'open') return undefined;
  return standing.is === 'merged'
    ? createMergedOutcome(record, standing.merge)
    : createRevertedOutcome(record, standing.merge);
}

/** The outcome of a step that finds its task's merge reverted: only a person merges it again. */
export function createRevertedOutcome(record: TaskRecord, merge: Merge): StepOutcome {
  const reason = `${record.taskId} was merged as ${merge.commit.slice(0, 12)}, and ${toBranchName(record.target)} was taken back to before it; it is not merged again unless you say so`;
  return { event: 'merge_blocked', reason, facts: { mergeBlocked: { reason, takenBack: merge.commit } } };
}

/** The refusal of a choice about a task that is merged. */
export const createAlreadyMerged = ({ taskId, merge }: Pick<TaskRecord, 'taskId' | 'merge'>): Problem =>
  new Problem(
    'outdated-choice',
    `${taskId} has been merged already, as ${merge?.commit.slice(0, 12) ?? ''}`,
    `andon show ${taskId}; andon undo ${taskId} takes it out again`,
    1,
  );
