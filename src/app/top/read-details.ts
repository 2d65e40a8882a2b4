import { Problem } from '../../base/problem.ts';
import { readDiff, type DiffFile } from '../../base/read-diff.ts';
import { listFoundIn, type FoundAt } from '../../line/reports/task-report/list-found-in.ts';
import { listRounds } from '../../line/reports/task-report/list-rounds.ts';
import { foldJournal } from '../../line/core/fold-journal.ts';
import { createCommentPath } from '../../line/core/comment-path.ts';
import { listStory, type StoryLine } from '../../line/words/list-story.ts';
import type { Change } from '../../line/record/change.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import { readEntries } from '../../line/journal/open-journal.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';

/** What a task's journal and repository add to its row on the board. */
export interface RowDetails {
  readonly requirements: readonly string[];
  /** What each party of its halt says. */
  readonly sides: readonly { readonly who: string; readonly says: string }[];
  /** What sending the change back with comments does; undefined where it is no answer. */
  readonly sendBack: string | undefined;
  readonly tree: string | undefined;
  readonly files: readonly DiffFile[];
  /** Why the change is not shown, or not to its end. */
  readonly gap: string | undefined;
  readonly found: readonly FoundAt[];
  readonly story: readonly StoryLine[];
}

/** Maximum bytes of a patch; `andon show --diff` prints the rest. */
const MOST_OF_PATCH = 2_000_000;

export async function readDetails(root: string, taskId: string, env: NodeJS.ProcessEnv): Promise<RowDetails> {
  const place = await loadWorkspace(root, env);
  const entries = readEntries(place, taskId);
  const record = foldJournal(entries);
  if (record === undefined) throw new Problem('no-task', `there is no task ${taskId} here`, 'andon list', 1);
  const { change, halt, contract } = record;
  const attempt = change?.attempt ?? record.attempt;
  const { files, gap } = await readChange(place, taskId, change);
  return {
    requirements: contract.specification.requirements,
    sides: halt?.trip.sides ?? [],
    sendBack: createCommentPath(record)?.does,
    tree: change?.tree,
    files,
    gap,
    found: listFoundIn(listRounds(entries), attempt),
    story: listStory(entries).map(({ at, text }) => ({ at, text: text.replace(/\s+/g, ' ') })),
  };
}

async function readChange(
  place: Workspace,
  taskId: string,
  change: Change | undefined,
): Promise<Pick<RowDetails, 'files' | 'gap'>> {
  if (change === undefined) return { files: [], gap: `${taskId} has no change yet` };
  const repository = await openForReading(place);
  for (const commit of [change.base, change.commit])
    if ((await repository.resolve(commit)) === undefined)
      return { files: [], gap: 'its commits are not in this repository (any more)' };
  const { text, isCut } = await repository.patchOf(change.base, change.commit, [], MOST_OF_PATCH);
  return { files: readDiff(text), gap: isCut ? `cut here; all of it: andon show ${taskId} --diff` : undefined };
}
