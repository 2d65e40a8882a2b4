import { formatCount } from '../../base/format-count.ts';
import { HANDOFF, FILES, TERMINAL, toBranchName, toTaskBranch, isAttemptRef } from '../../base/names.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { listCommits } from '../core/list-discrepancies.ts';
import type { Needs } from '../services/services.ts';

interface CleanScope {
  /** Only of tasks that ended before this moment. */
  readonly before: string;
  /** Also attempts that no branch contains: nothing else keeps them. */
  readonly attempts: boolean;
}

type Ref = Extract<JournalEntry, { kind: 'cleaned' }>['refs'][number];

export interface TaskCleaning {
  readonly taskId: string;
  readonly refs: readonly Ref[];
  /** Bytes of its folder in the archive; undefined without one. */
  readonly archived: number | undefined;
  readonly kept: readonly string[];
}

type World = Needs<'journal' | 'repository' | 'handoff'>;

/** Plans the removals of every task, in the order of the journal; changes nothing. */
export async function planCleaning(world: World, scope: CleanScope): Promise<readonly TaskCleaning[]> {
  const { journal, handoff } = world;
  const archived = new Set(handoff.archived());
  const plans: TaskCleaning[] = [];
  for (const taskId of journal.taskIds()) {
    const entries = journal.entries(taskId);
    const record = foldJournal(entries);
    if (record === undefined || record.unreadable !== undefined || !TERMINAL.includes(record.status)) continue;
    if (!entries.every(({ at, kind }) => kind === 'cleaned' || at < scope.before)) continue;
    const { refs, kept } = await refsToRemove(world, { taskId, target: record.target, entries }, scope);
    const bytes = archived.has(taskId) ? handoff.bytesOfArchived(taskId) : undefined;
    if (refs.length > 0 || kept.length > 0 || bytes !== undefined) plans.push({ taskId, refs, archived: bytes, kept });
  }
  return plans;
}

/**
 * Removes it. The journal entry comes first: after a kill in between, the next clean removes the remaining refs. A ref that
 * has moved since the plan stays.
 */
export async function clean(
  services: Needs<'clock'> & World,
  scope: CleanScope,
  by: string,
): Promise<{ readonly tasks: number; readonly refs: number; readonly archives: number }> {
  const { journal, repository, handoff, clock } = services;
  const plans = (await planCleaning(services, scope)).filter(
    ({ refs, archived }) => refs.length > 0 || archived !== undefined,
  );
  let removed = 0;
  for (const { taskId, refs, archived } of plans) {
    journal.append(taskId, [
      { kind: 'cleaned', at: clock.now(), by, refs: [...refs], archive: archived !== undefined },
    ]);
    for (const { ref, commit } of refs) if (await repository.removeRef(ref, commit)) removed += 1;
    if (archived !== undefined) handoff.removeArchived(taskId);
  }
  return {
    tasks: plans.length,
    refs: removed,
    archives: plans.filter(({ archived }) => archived !== undefined).length,
  };
}

interface Ended {
  readonly taskId: string;
  readonly target: string;
  readonly entries: readonly JournalEntry[];
}

/** The refs of a merge, of its undoing and of what a human committed stay: `andon doctor --journal` and people need them. */
async function refsToRemove(
  { repository }: World,
  { taskId, target, entries }: Ended,
  scope: CleanScope,
): Promise<Pick<TaskCleaning, 'refs' | 'kept'>> {
  const kept: string[] = [];
  const prefix = `refs/andon/${taskId}/`;
  const all = await repository.refsUnder(prefix);
  const hasTarget = (await repository.resolve(target)) !== undefined;
  const within = new Set(hasTarget ? (await repository.refsUnder(prefix, target)).map(({ ref }) => ref) : []);
  const attempts = all.filter(({ ref }) => isAttemptRef(ref));
  const known = new Set(listCommits(taskId, entries).map(({ commit }) => commit));
  // What the journal does not name, `andon doctor --journal` reports; it is not andon's to remove.
  const removed = attempts.filter(({ ref, commit }) => known.has(commit) && (scope.attempts || within.has(ref)));
  const only = attempts.length - removed.length;
  if (only > 0)
    kept.push(`${formatCount(only, 'attempt')} that ${only === 1 ? 'is' : 'are'} kept nowhere else (--attempts)`);

  const branch = toTaskBranch(taskId);
  const head = await repository.resolve(branch);
  if (head === undefined) return { refs: removed, kept };
  const folder = await repository.checkedOutIn(branch);
  const stays = new Set(all.filter((one) => !removed.includes(one)).map(({ commit }) => commit));
  const isElsewhere = stays.has(head) || (hasTarget && (await repository.isAncestor(head, target)));
  const mayGo = isElsewhere || (scope.attempts && known.has(head));
  if (folder !== undefined) kept.push(`the branch ${toBranchName(branch)}: it is checked out in ${folder}`);
  else if (!mayGo) kept.push(`the branch ${toBranchName(branch)}: its commits are kept nowhere else`);
  return { refs: folder === undefined && mayGo ? [{ ref: branch, commit: head }, ...removed] : removed, kept };
}

export const describeCleaning = ({ taskId, refs, archived }: TaskCleaning): readonly string[] => [
  ...refs.map(({ ref }) => ref),
  ...(archived === undefined ? [] : [`${HANDOFF}/${FILES.archive}/${taskId}`]),
];
