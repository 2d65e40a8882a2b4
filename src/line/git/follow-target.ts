import { failure, type Outcome } from '../../base/outcome.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { ANDON_IDENTITY, toBranchName } from '../../base/names.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import { measure, publishAttempt, withAuthors } from './commit-change.ts';
import type { Needs, Services } from '../services/services.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { classifyPath } from '../../base/paths.ts';
import { getScope } from '../core/grants.ts';
import { createFaultOutcome } from '../core/step.ts';

/**
 * A target that was reset, amended, rebased or forced elsewhere no longer holds the base that the task builds on. The
 * change is done again on what the target holds now, so that no dropped commit comes back with it; undefined when the
 * base is part of the target.
 */
export async function handleRewrittenTarget(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  target: string,
): Promise<StepOutcome | undefined> {
  const { repository } = services;
  const { base, change } = record;
  if (target === base || (await repository.isAncestor(base, target))) return undefined;
  const what = `${toBranchName(record.target)} was rewritten: ${base.slice(0, 12)}, on which the task builds, is no longer part of it`;
  return carryOver(services, record, target, {
    tree: change && (await repository.replay({ before: base, after: change.commit, onto: target })),
    reason:
      change === undefined
        ? `${what}; the task goes on from ${target.slice(0, 12)}`
        : `${what}; the change was made again on ${target.slice(0, 12)}; gates, review and judge look again`,
    conflict: `${what}, and the change conflicts with it`,
  });
}

/**
 * Moves a task to the current commit of its target: a rewritten one, one with another configuration before anything more
 * is paid or decided under the old one, or for a reason of the task. Undefined while the task stays on its base.
 */
export async function followTarget(
  services: Needs<'configuration' | 'digest' | 'repository'>,
  record: TaskRecord,
  target: string,
): Promise<StepOutcome | undefined> {
  const rewritten = await handleRewrittenTarget(services, record, target);
  if (rewritten !== undefined || target === record.base) return rewritten;
  const why = (await services.configuration.isSame(record.base, target))
    ? explainMove(record, target)
    : ' and its configuration changed; its gates and rules decide now';
  if (why === undefined) return undefined;
  const moved = `${toBranchName(record.target)} moved`;
  return carryOver(services, record, target, {
    tree: record.change && (await services.repository.mergeTrees(target, record.change.commit)),
    reason: `${moved}${why}`,
    conflict: `${moved} and conflicts with the change`,
  });
}

/**
 * Why a task follows a target whose configuration is the same. It was parked meanwhile, so results about its tree belong to
 * another target. Or a person answered a halt about the base, and may have mended the target before: then a task without
 * a change goes on from there, and one with a change directly after the answer to ask again.
 */
function explainMove(
  { change, history, lastChoice, status, takenUp, taskId }: TaskRecord,
  target: string,
): string | undefined {
  const isAtImplementer = status === 'pending_implementer';
  // At the implementer nothing has been said of the tree but what a human allowed, and gates, review and judge are to come.
  if (takenUp === true && (change === undefined || !isAtImplementer))
    return ` while ${taskId} was set aside; ${change === undefined ? `the task goes on from ${target.slice(0, 12)}` : 'gates, review and judge look again'}`;
  const gates = isAtImplementer ? lastChoice?.effect.gates : undefined;
  const isAskedAgain = gates?.length === 0 && history.at(-1)?.event === 'resume';
  return gates !== undefined && (change === undefined || isAskedAgain) ? '; its gates are asked again' : undefined;
}

/** Moves the task to a target: alone, or with its change, of which `tree` is the merge with that target. */
async function carryOver(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  target: string,
  moved: {
    readonly tree: Outcome<string, readonly string[]> | undefined;
    readonly reason: string;
    readonly conflict: string;
  },
): Promise<StepOutcome> {
  const { tree, reason, conflict } = moved;
  if (tree === undefined) return { event: 'target_moved', reason, facts: { targetMoved: { base: target } } };
  const merged = await checkMerged(services, record, target, { tree, conflict });
  return merged.ok ? rebaseChange(services, record, { target, tree: merged.value, reason }) : merged.why;
}

/** The tree of a change that was merged with its target; where it cannot land there, the outcome of the step. */
export async function checkMerged(
  services: Needs<'repository'>,
  record: TaskRecord,
  target: string,
  { tree, conflict }: { readonly tree: Outcome<string, readonly string[]>; readonly conflict: string },
): Promise<Outcome<string, StepOutcome>> {
  if (!tree.ok)
    return failure(createBlockedOutcome({ reason: `${conflict} in ${tree.why.join(', ')}`, conflictsWith: target }));
  const filtered = await explainNewFilter(services, record, target);
  if (filtered !== undefined) return failure(createBlockedOutcome({ reason: filtered }));
  return tree.value === (await services.repository.treeOf(target))
    ? failure(createEmptyChangeOutcome(record, target))
    : tree;
}

/** Why a change cannot follow its target: a file of it goes through a filter there that it did not go through before. */
async function explainNewFilter(
  { repository }: Needs<'repository'>,
  { base, change, target: ref }: TaskRecord,
  target: string,
): Promise<string | undefined> {
  const written = (change?.files ?? []).flatMap(({ path, status }) => (status === 'deleted' ? [] : [path]));
  const now = await repository.filtered(target, written);
  if (now.size === 0) return undefined;
  const before = await repository.filtered(base, written);
  const fresh = [...now].find(([path, filter]) => before.get(path) !== filter);
  if (fresh === undefined) return undefined;
  const [path, filter] = fresh;
  return `${toBranchName(ref)} moved, and git's filter ${filter} changes ${path} there; andon runs no filter and would store the file raw`;
}

/** The change as one commit on the new target; results about the old one are void. */
export async function rebaseChange(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  { target, tree, reason }: { readonly target: string; readonly tree: string; readonly reason: string },
): Promise<StepOutcome> {
  const message = `[TASK: ${record.taskId}] Transition: pending_implementer (Event: target_moved)\n\nAndon-Task: ${record.taskId}\nAndon-Attempt: ${record.attempt}\n`;
  const plan = { parents: [target], message, at: record.updatedAt, author: ANDON_IDENTITY };
  const commit = await services.repository.commitTree(tree, plan);
  const refused = await publishAttempt(services, record, commit);
  if (refused !== undefined) return createFaultOutcome(refused);
  const measured = await measure(services, { ...record, base: target }, { commit, tree }, record.change?.notes ?? '');
  const change = withAuthors(measured, record.change?.authors ?? []);
  // A change that was sent back still needs a fix; any other is checked again.
  const toFix = record.status === 'pending_implementer' && !record.onlyGates;
  return {
    event: 'target_moved',
    reason,
    facts: { change, targetMoved: { base: target, ...(toFix ? { toFix } : {}) } },
  };
}

/** An empty change is never checked, judged or merged. */
export const createEmptyChangeOutcome = (record: TaskRecord, target: string): StepOutcome =>
  createBlockedOutcome({
    reason: `${toBranchName(record.target)} holds everything already that the change of ${record.taskId} brings; there is nothing to merge`,
    conflictsWith: target,
  });

export const createBlockedOutcome = (mergeBlocked: NonNullable<Facts['mergeBlocked']>): StepOutcome => ({
  event: 'merge_blocked',
  reason: mergeBlocked.reason,
  facts: { mergeBlocked },
});

/**
 * The refusal of a task that was admitted under another configuration than its base has now: a required gate is missing,
 * or its change edits a path that is protected since.
 */
export function findConfigurationRefusal({ settings }: Needs<'settings'>, record: TaskRecord): StepOutcome | undefined {
  const { contract, change, base } = record;
  const where = `${toBranchName(record.target)} (${base.slice(0, 7)})`;
  const gates = [...settings.gates, ...contract.gates, ...contract.holdout.gates];
  if (settings.requireGates && gates.length === 0) {
    return createFaultOutcome(
      `${where} requires a gate (\`require_gates\` in .andon/config.yaml), and neither the project nor this contract has one; commit a gate there, or give the task up and drop a contract with \`gates\``,
    );
  }
  const { protectedPaths: _, ...allowed } = getScope(record);
  const { protectedPaths } = settings;
  const closed = (change?.files ?? [])
    .flatMap(getTouchedPaths)
    .filter(
      (path) =>
        classifyPath(path, { ...allowed, ...(protectedPaths === undefined ? {} : { protectedPaths }) }) ===
          'protected' && classifyPath(path, contract.constraints) !== 'protected',
    );
  if (closed.length === 0) return undefined;
  const reason = `${where} protects ${closed.join(', ')} since this task was admitted (\`protected_paths\` in .andon/config.yaml), and the change touches it`;
  return createBlockedOutcome({ reason, conflictsWith: base });
}

/** The record under the protected paths in force now: an admitted contract holds those of its admission. */
export function withProtectedPaths(record: TaskRecord, { protectedPaths }: Services['settings']): TaskRecord {
  const { protectedPaths: _, ...constraints } = record.contract.constraints;
  const now = protectedPaths === undefined ? constraints : { ...constraints, protectedPaths };
  return { ...record, contract: { ...record.contract, constraints: now } };
}
