import { basename } from 'node:path';
import { TERMINAL } from '../../../base/names.ts';
import { OutputFeed } from '../../../line/readers/output-feed.ts';
import { listTaskOutput, type CallOutput } from '../../../line/board/call-output.ts';
import { STATUS_PHRASES } from '../../../line/core/describe-line.ts';
import type { TaskRecord } from '../../../line/record/task-record.ts';
import { colourText, printLine, printText, printWarning } from '../print.ts';
import { followJournal } from '../commands/logs.ts';
import { recordOf, withTask } from '../tasks.ts';
import { conflictingOptions } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon show --live`: what the agents of a task write, until it stops, a signal comes, or the reader closes. */
export function followOutput(invocation: Invocation): Promise<number> {
  return withTask(invocation, async ({ taskId }, journal, place) => {
    if (invocation.options['json'] !== undefined)
      throw conflictingOptions(['--live', '--json'], `andon show ${taskId} --live`);
    const describeStop = (): string | undefined => {
      const record = recordOf(journal, taskId);
      return isStopped(record) ? `${taskId} does not work: ${STATUS_PHRASES[record.status]}.` : undefined;
    };
    const feed = new OutputFeed();
    const print = printOutput();
    if (describeStop() === undefined) {
      feed.follow(() => {
        const of = { repository: basename(place.state), task_id: taskId };
        for (const one of listTaskOutput(feed.calls(), of)) print.take(one);
      });
      feed.attend([place.state]);
      if (feed.calls().length === 0) printWarning(`Waits for the next call of ${taskId}. Press Ctrl-C to end.`);
      // From before the last entry: the task may have stopped in between.
      await followJournal(invocation, place, journal.head() - 1, (_event, stop) => {
        if (describeStop() !== undefined) stop();
      }).finally(() => feed.close());
      print.end();
    }
    const why = describeStop();
    if (why !== undefined) printLine(why);
    return 0;
  });
}

const isStopped = ({ halt, parked, status }: TaskRecord): boolean =>
  halt !== undefined || parked !== undefined || TERMINAL.includes(status);

/** Prints each line once, and the last one as it grows. */
function printOutput() {
  let call = 0;
  /** For each call, the number of whole lines before the last one, which may grow. */
  const printed = new Map<number, number>();
  let open = '';
  const endLine = (): void => {
    if (open !== '') printLine();
    open = '';
  };
  return {
    take({ call: number, station, first, lines }: CallOutput): void {
      if (number !== call) {
        endLine();
        printLine(colourText('dim', `${station}, call ${number}`));
        call = number;
      }
      for (const [index, line] of lines.entries()) {
        const place = first + index;
        const at = printed.get(number) ?? 0;
        if (place < at) continue;
        if (place > at || !line.startsWith(open)) endLine();
        printText(line.slice(open.length));
        printed.set(number, place);
        open = line;
      }
    },
    end: endLine,
  };
}
