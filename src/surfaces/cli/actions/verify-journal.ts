import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { openForReading } from '../../../wiring/open-reader.ts';
import { verify } from '../../../daemon/journal/verify.ts';
import { flag } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon doctor --journal`: whether the journal's chain is whole and git still holds all that it names. */
export function verifyJournal(invocation: Invocation): Promise<number> {
  return withJournal(
    invocation,
    async (journal, place) => {
      if (journal === undefined) {
        if (flag(invocation.options, 'json')) json({ entries: 0, tasks: 0, commits: 0, broken_at: null, faults: [] });
        else line('No task was ever admitted in this repository, so there is nothing to verify.');
        return 0;
      }
      const found = await verify(journal, await openForReading(place));
      const { entries, tasks, commits, brokenAt, discrepancies: faults } = found;
      const isWell = brokenAt === undefined && faults.length === 0;
      if (flag(invocation.options, 'json')) {
        json({
          entries,
          tasks,
          commits,
          broken_at: brokenAt ?? null,
          faults: faults.map(({ taskId, what, remedy }) => ({ task_id: taskId, what, remedy })),
        });
        return isWell ? 0 : 1;
      }
      if (brokenAt === undefined)
        line(`${styled('green', '✓')} journal: ${entries} entries, the chain of hashes is whole`);
      else {
        line(`${styled('red', '✗')} journal: entry ${brokenAt} of ${entries} is not what andon wrote there`);
        line('  It was edited or the disk lost it. Restore the state folder from a backup, or trust nothing after it.');
      }
      const word = `${commits} commit${commits === 1 ? '' : 's'} of ${tasks} task${tasks === 1 ? '' : 's'}`;
      if (faults.length === 0) line(`${styled('green', '✓')} git: all ${word} are where the journal says`);
      for (const { taskId, what, remedy } of faults) {
        line(`${styled('red', '✗')} ${inOneTerminalLine(taskId, 64)}: ${inOneTerminalLine(what, 300)}`);
        line(`  ${inOneTerminalLine(remedy, 300)}`);
      }
      return isWell ? 0 : 1;
    },
    { checked: false },
  );
}
