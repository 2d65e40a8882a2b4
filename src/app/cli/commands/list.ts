import { readLine } from '../../../line/readers/read-line.ts';
import { formatInboxPath } from '../../../project/workspace/files.ts';
import { readRecords } from '../../../line/journal/read-records.ts';
import { formatLocalTime, withLocalTimes } from '../../../base/local-time.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import type { Status } from '../../../base/names.ts';
import { describeActivity, STATUS_PHRASES, viewActivity } from '../../../line/words/view-activity.ts';
import { viewTask } from '../../../line/words/view-task.ts';
import { hasFlag } from '../options.ts';
import { printJson, printLine, printSentence, getStatusStyle, colourText } from '../print.ts';
import { getColumns, padToColumn } from '../width.ts';
import { formatCount } from '../../../base/format-count.ts';
import { withJournal } from '../tasks.ts';
import { fitToWidth, measureWidth } from '../../../base/text-width.ts';
import type { Invocation } from '../command.ts';

/** What a row may be narrowed to before its reason is no reason any more. */
const LEAST_ID = 10;
const LEAST_REASON = 14;
const GAPS = 5;

/** `andon list`: every task of this repository, oldest first, one row each, no wider than the terminal. */
export function run(invocation: Invocation): Promise<number> {
  return withJournal(invocation, async (journal, place) => {
    const facts = await readLine(place, journal);
    const tasks = readRecords(journal).map((record) => {
      const activity = viewActivity(record, facts);
      return { record, activity, now: toTerminalLine(describeActivity(activity), 400) };
    });
    const width = getColumns(invocation.env);
    if (hasFlag(invocation.options, 'json'))
      printJson(tasks.map(({ record, activity, now }) => ({ ...viewTask(record), activity, now })));
    else if (tasks.length === 0)
      printSentence(
        facts.journal_lost === null
          ? 'No task has run here yet. `andon status` shows what waits, `andon new` makes one.'
          : toTerminalLine(`${facts.journal_lost}.`),
      );
    else {
      const today = new Date();
      const rows = tasks.map(({ record, now }) => ({
        id: record.taskId,
        status: record.status,
        time: formatLocalTime(record.updatedAt, today),
        reason: withLocalTimes(now, today),
      }));
      printRows(rows, width);
    }
    const { waiting, refusals } = facts;
    if (tasks.length > 0 && !hasFlag(invocation.options, 'json') && waiting.length + refusals.length > 0)
      printLine(
        fitToWidth(
          `and in ${toTerminalLine(formatInboxPath(place, ''), 400)}: ${formatCount(waiting.length, 'contract')} queued, ${refusals.length} refused; see andon status`,
          width,
        ),
      );
    return 0;
  });
}

interface Row {
  readonly id: string;
  readonly status: Status;
  readonly time: string;
  readonly reason: string;
}

function printRows(rows: readonly Row[], width: number): void {
  const widest = (textOf: (row: Row) => string): number => Math.max(...rows.map((row) => measureWidth(textOf(row))));
  const [status, time] = [widest((row) => STATUS_PHRASES[row.status]), widest((row) => row.time)];
  const room = width - status - time - GAPS;
  // A long id leaves half of the room to the reason; where not even that fits, `status` and `show` have it.
  const id = Math.max(
    LEAST_ID,
    Math.min(
      widest((row) => row.id),
      Math.floor(room / 2),
    ),
  );
  for (const row of rows) {
    const phrase = padToColumn(STATUS_PHRASES[row.status], status);
    const head = `${padToColumn(row.id, id)} ${colourText(getStatusStyle(row.status), phrase)}  ${padToColumn(row.time, time)}`;
    printLine(room - id >= LEAST_REASON ? `${head}  ${fitToWidth(row.reason, room - id)}` : head);
  }
}
