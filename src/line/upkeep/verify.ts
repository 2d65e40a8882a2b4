import { foldJournal } from '../core/fold-journal.ts';
import { formatEntry } from '../words/list-story.ts';
import { listCleanedCommits, listCommits, listDiscrepancies, pendingRefs } from '../core/list-discrepancies.ts';
import type { Journal } from '../journal/journal.ts';
import type { Services } from '../services/services.ts';

/** Recomputes the journal's chain of hashes and looks for every commit that it names; changes nothing. */
export async function verify(journal: Journal, repository: Services['repository']) {
  const brokenAt = journal.verify();
  const taskIds = journal.taskIds();
  const unreadable: { readonly taskId: string; readonly what: string }[] = [];
  const begun: string[] = [];
  const pins = taskIds.flatMap((id) => {
    const entries = journal.entries(id);
    const record = foldJournal(entries);
    const missing = entries.find(({ kind }) => kind === 'unreadable');
    if (missing !== undefined && (record === undefined || record.unreadable !== undefined))
      unreadable.push({ taskId: id, what: formatEntry(missing) ?? '' });
    begun.push(...pendingRefs(id, entries));
    const cleaned = listCleanedCommits(entries);
    begun.push(...[...cleaned].map((commit) => `${id} ${commit}`));
    return listCommits(id, entries).filter(({ commit, target }) => target !== undefined || !cleaned.has(commit));
  });
  const targets = new Set(pins.flatMap(({ target }) => (target === undefined ? [] : [target])));
  const within = new Map(
    await Promise.all([...targets].map(async (target) => [target, await commitsWithin(repository, target)] as const)),
  );
  return {
    entries: journal.head(),
    tasks: taskIds.length,
    commits: pins.length,
    // The first entry that does not fit the chain of hashes.
    brokenAt,
    discrepancies: [
      ...unreadable.map((one) => ({
        ...one,
        remedy: 'the andon that wrote it can read it; this one halts the task (andon watch), and asks you',
      })),
      ...listDiscrepancies(pins, taskIds, { refs: await repository.refsUnder('refs/andon/'), within }, begun),
    ],
  };
}

/** Undefined when the branch is gone: then nothing can be said about what it held. */
async function commitsWithin(
  repository: Services['repository'],
  target: string,
): Promise<ReadonlySet<string> | undefined> {
  if ((await repository.resolve(target)) === undefined) return undefined;
  return new Set((await repository.refsUnder('refs/andon/', target)).map(({ commit }) => commit));
}
