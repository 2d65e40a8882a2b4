import { formatLocalTime } from '../../../base/local-time.ts';
import { formatEntry } from '../../../line/words/list-story.ts';
import { openEvents } from '../../../line/journal/open-journal.ts';
import type { Journal, PlacedEntry } from '../../../line/journal/journal.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { onReaderClosed } from '../../../sandbox/processes/on-reader-closed.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printLine, printSentence, colourText, printWarning } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import { findRecord, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon logs`: the story of all tasks, in the order in which it happened. */
export function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const only = readTextOption(options, 'task');
  const isJson = hasFlag(options, 'json');
  const print = ({ seq, taskId, entry }: PlacedEntry): void => {
    const text = only !== undefined && taskId !== only ? undefined : formatEntry(entry);
    if (text === undefined) return;
    if (isJson) printLine(JSON.stringify({ seq, task_id: taskId, at: entry.at, kind: entry.kind, text }));
    else
      printSentence(
        `${colourText('dim', formatLocalTime(entry.at, new Date(), { seconds: true }))}  ${taskId}  ${text}`,
      );
  };
  return withJournal(invocation, async (journal, place) => {
    if (hasFlag(options, 'follow')) {
      const awaited = describeAwaited(journal, only);
      const following = followJournal(invocation, place, print); // from here on Ctrl-C ends it in order
      if (awaited !== undefined) printWarning(`Waits for ${awaited}. Press Ctrl-C to end.`);
      await following;
      return 0;
    }
    if (only !== undefined) await findRecord(place, journal, only);
    const entries = journal?.since(0) ?? [];
    for (const one of entries) print(one);
    if (entries.length === 0 && !isJson) printLine('Nothing has happened here yet.');
    return 0;
  });
}

/** Says what it waits for while there is nothing to show. */
function describeAwaited(journal: Journal | undefined, only: string | undefined): string | undefined {
  const known = journal?.taskIds() ?? [];
  if (only !== undefined) {
    if (known.includes(only)) return undefined;
    const others = known.length === 0 ? '' : ` (known tasks: ${known.slice(-10).join(', ')})`;
    return `task ${only}, which is not known here yet${others}`;
  }
  return journal === undefined || journal.head() === 0 ? 'the first task' : undefined;
}

/** Follows the journal until a signal, a closed pipe, or the end of the journal. */
async function followJournal(
  invocation: Invocation,
  place: Workspace,
  take: (event: PlacedEntry) => void,
): Promise<void> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  onFirstSignal(invocation, resolve);
  process.stdout.once('error', () => resolve());
  const reader = onReaderClosed(resolve);
  const following = openEvents(place).follow(0, take, reject);
  try {
    await over;
  } finally {
    following.close();
    reader.stop();
  }
}
