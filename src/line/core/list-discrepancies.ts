import type { JournalEntry } from '../record/journal-entry.ts';
import { isAttemptRef, toAttemptRef, toBranchName } from '../../base/names.ts';

/** A commit that the journal mentions and git must still contain. */
interface Pinned {
  readonly taskId: string;
  readonly what: string;
  readonly commit: string;
  /** The branch that must contain it; undefined for attempts, which only a ref keeps. */
  readonly target: string | undefined;
}

/** git's side: commits under `refs/andon/`, and those of them that each target contains. */
export interface GitContents {
  readonly refs: readonly { readonly ref: string; readonly commit: string }[];
  /** Commits under `refs/andon/` in a branch, by its full name; undefined without such a branch. */
  readonly within: ReadonlyMap<string, ReadonlySet<string> | undefined>;
}

interface Discrepancy {
  readonly taskId: string;
  readonly what: string;
  readonly remedy: string;
}

/** Every commit in a task's entries, once, in order of creation. */
export function listCommits(taskId: string, entries: readonly JournalEntry[]): readonly Pinned[] {
  const pins: Pinned[] = [];
  let target = '';
  for (const entry of entries) {
    if (entry.kind === 'admitted') target = entry.target;
    if (entry.kind === 'undone') pins.push({ taskId, what: 'the commit that undid it', commit: entry.commit, target });
    if (entry.kind !== 'moved') continue;
    const { change, merge } = entry.facts;
    if (change !== undefined)
      pins.push({ taskId, what: `attempt ${change.attempt}`, commit: change.commit, target: undefined });
    if (merge !== undefined) pins.push({ taskId, what: 'its merge', commit: merge.tip, target: merge.target });
  }
  return pins.filter((pin, index) => pins.findIndex((other) => other.commit === pin.commit) === index);
}

/** Attempts removed by `andon clean`: they may be missing, or still exist after a kill. */
export const listCleanedCommits = (entries: readonly JournalEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap((entry) => (entry.kind === 'cleaned' ? entry.refs.map(({ commit }) => commit) : [])));

/** Refs and commits announced in a task's entries: a crash may have followed at once. */
export function pendingRefs(taskId: string, entries: readonly JournalEntry[]): readonly string[] {
  let attempts = 0;
  return entries.flatMap((entry) => {
    if (entry.kind === 'merging') return [`${taskId} ${entry.commit}`, `${taskId} ${entry.tip}`];
    return entry.kind === 'started' && entry.station === 'implementer' ? [toAttemptRef(taskId, (attempts += 1))] : [];
  });
}

/** Compares git with the journal; empty when nothing is missing. */
export function listDiscrepancies(
  pins: readonly Pinned[],
  taskIds: readonly string[],
  { refs, within }: GitContents,
  begun: readonly string[] = [],
): readonly Discrepancy[] {
  const kept = new Set(refs.map(({ commit, ref }) => `${taskOf(ref)} ${commit}`));
  const missing = pins.flatMap(({ taskId, what, commit, target }): Discrepancy[] => {
    const name = commit.slice(0, 12);
    if (!kept.has(`${taskId} ${commit}`))
      return [
        {
          taskId,
          what: `no ref under refs/andon/${taskId}/ keeps ${what} (${name}) any more`,
          remedy: `if git still has it: git update-ref refs/andon/${taskId}/restored-${name} ${commit}`,
        },
      ];
    if (target === undefined || within.get(target)?.has(commit) !== false) return [];
    return [
      {
        taskId,
        what: `${toBranchName(target)} does not contain ${what} (${name}) any more: the branch was rewritten`,
        remedy: `git log refs/andon/${taskId}/merged shows what was merged`,
      },
    ];
  });
  const named = new Set([...pins.map(({ taskId, commit }) => `${taskId} ${commit}`), ...begun]);
  const known = new Set(taskIds);
  const strangers = new Set(
    refs.map(({ ref }) => taskOf(ref)).filter((task) => task !== 'rollback' && !known.has(task)),
  );
  // An undo that git did not let land left its commit behind.
  const isLanded = (commit: string): boolean => [...within.values()].some((commits) => commits?.has(commit));
  const unnamed = refs.filter(
    ({ ref, commit }) =>
      known.has(taskOf(ref)) &&
      !named.has(ref.replace(/(?<=\/\d+)\.\d+$/, '')) &&
      !named.has(`${taskOf(ref)} ${commit}`) &&
      (!ref.endsWith('/undone') || isLanded(commit)),
  );
  return [
    ...missing,
    ...unnamed
      .filter(({ ref }) => isAttemptRef(ref) || MADE_BY_ENTRIES.test(ref))
      .map(({ ref, commit }) => ({
        taskId: taskOf(ref),
        what: `${ref} keeps ${commit.slice(0, 12)}, of which the journal does not tell`,
        remedy:
          'the end of the journal may be lost: compare it with git log, or restore the state folder from a backup',
      })),
    ...[...strangers].map((taskId) => ({
      taskId,
      what: `refs/andon/${taskId}/ is in git, but the journal knows no such task`,
      remedy: 'a journal was lost or these refs came from elsewhere; nothing of the line depends on them',
    })),
  ];
}

/** Pins announced by an entry, beside attempts: the merge, its revert. */
const MADE_BY_ENTRIES = /^refs\/andon\/[^/]+\/(?:merged|undone)$/;

const taskOf = (ref: string): string => ref.split('/')[2] ?? '';
