import { toTerminalLine } from '../../../base/plain-text.ts';
import { openForReading } from '../../../wiring/open-reader.ts';
import { verify } from '../../../daemon/journal/verify.ts';
import { hasFlag } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon doctor --journal`: whether the journal's chain is whole and git still holds all that it names. */
export function verifyJournal(invocation: Invocation): Promise<number> {
  return withJournal(
    invocation,
    async (journal, place) => {
      if (journal === undefined) {
        if (hasFlag(invocation.options, 'json'))
          printJson({ entries: 0, tasks: 0, commits: 0, broken_at: null, faults: [] });
        else printLine('No task was ever admitted in this repository, so there is nothing to verify.');
        return 0;
      }
      const found = await verify(journal, await openForReading(place));
      const { entries, tasks, commits, brokenAt, discrepancies: faults } = found;
      const isWell = brokenAt === undefined && faults.length === 0;
      if (hasFlag(invocation.options, 'json')) {
        printJson({
          entries,
          tasks,
          commits,
          broken_at: brokenAt ?? null,
          faults: faults.map(({ taskId, what, remedy }) => ({ task_id: taskId, what, remedy })),
        });
        return isWell ? 0 : 1;
      }
      if (brokenAt === undefined)
        printLine(`${colourText('green', '✓')} journal: ${entries} entries, the chain of hashes is whole`);
      else {
        printLine(`${colourText('red', '✗')} journal: entry ${brokenAt} of ${entries} is not what andon wrote there`);
        printLine(
          '  It was edited or the disk lost it. Restore the state folder from a backup, or trust nothing after it.',
        );
      }
      const word = `${commits} commit${commits === 1 ? '' : 's'} of ${tasks} task${tasks === 1 ? '' : 's'}`;
      if (faults.length === 0) printLine(`${colourText('green', '✓')} git: all ${word} are where the journal says`);
      for (const { taskId, what, remedy } of faults) {
        printLine(`${colourText('red', '✗')} ${toTerminalLine(taskId, 64)}: ${toTerminalLine(what, 300)}`);
        printLine(`  ${toTerminalLine(remedy, 300)}`);
      }
      return isWell ? 0 : 1;
    },
    { checked: false },
  );
}
