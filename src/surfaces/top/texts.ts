import { toTerminal } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import { loadWorkspace } from '../../wiring/load-workspace.ts';
import { openForReading } from '../../wiring/open-reader.ts';
import { foldJournal } from '../../line/record.ts';
import { formatEntry } from '../../line/story.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';

/** Maximum lines in a terminal, */
const MOST_LINES = 20_000;
/** and bytes of a patch; `andon show --diff` prints the rest. */
const MOST_OF_PATCH = 2_000_000;

/** The change of a task as lines of a patch. */
export async function listDiffLines(root: string, taskId: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const place = await loadWorkspace(root, env);
  const change = foldJournal(entriesOf(place.state, taskId))?.change;
  if (change === undefined) throw new Problem('no-task', `${taskId} has no change yet`, 'andon status', 1);
  const repository = await openForReading(place);
  for (const commit of [change.base, change.commit])
    if ((await repository.resolve(commit)) === undefined)
      throw new Problem('no-task', 'its commits are not in this repository (any more)', `andon show ${taskId}`, 1);
  const { text, isCut } = await repository.patchOf(change.base, change.commit, [], MOST_OF_PATCH);
  const lines = linesOf(text);
  return isCut || lines.length >= MOST_LINES ? [...lines, `cut here; all of it: andon show ${taskId} --diff`] : lines;
}

/** The story of a task, a line each. */
export async function listStoryLines(root: string, taskId: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { state } = await loadWorkspace(root, env);
  return linesOf(
    entriesOf(state, taskId)
      .flatMap((entry) => {
        const text = formatEntry(entry);
        return text === undefined ? [] : [`${entry.at}  ${text.replace(/\s+/g, ' ')}`];
      })
      .join('\n'),
  );
}

function entriesOf(state: string, taskId: string): readonly JournalEntry[] {
  const journal = readJournal({ state });
  try {
    return journal?.entries(taskId) ?? [];
  } finally {
    journal?.close();
  }
}

const linesOf = (text: string): readonly string[] => toTerminal(text).split('\n').slice(0, MOST_LINES);
