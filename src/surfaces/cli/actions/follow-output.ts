import { basename } from 'node:path';
import { TERMINAL } from '../../../base/names.ts';
import { OutputFeed } from '../../../daemon/readers/output-feed.ts';
import { listTaskOutput, type CallOutput } from '../../../line/board/call-output.ts';
import { STATUS_PHRASES } from '../../../line/describe-line.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { openEvents } from '../../../wiring/open-journal.ts';
import { onReaderClosed } from '../../../wiring/job-control.ts';
import { readTaskArgument } from '../options.ts';
import { colourText, printLine, printText, printWarning } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { conflictingOptions } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon show --live`: what the agents of a task write, until it stops, a signal comes, or the reader closes. */
export function followOutput(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  if (invocation.options['json'] !== undefined)
    throw conflictingOptions(['--live', '--json'], `andon show ${taskId} --live`);
  return withJournal(invocation, async (journal, place) => {
    const describeStop = (): string | undefined => {
      const record = recordOf(journal, taskId);
      return isStopped(record) ? `${taskId} does not work: ${STATUS_PHRASES[record.status]}.` : undefined;
    };
    const { promise: over, resolve, reject } = Promise.withResolvers<void>();
    const feed = new OutputFeed();
    const print = printOutput();
    const shown = (): void => {
      const of = { repository: basename(place.state), task_id: taskId };
      for (const one of listTaskOutput(feed.calls(), of)) print.take(one);
    };
    const stopped = describeStop();
    if (stopped !== undefined) {
      printLine(stopped);
      return 0;
    }
    feed.follow(shown);
    feed.attend([place.state]);
    if (feed.calls().length === 0) printWarning(`Waits for the next call of ${taskId}. Press Ctrl-C to end.`);
    onFirstSignal(invocation, resolve);
    process.stdout.once('error', () => resolve());
    const reader = onReaderClosed(resolve);
    const check = (): void => void (describeStop() !== undefined && resolve());
    const events = openEvents(place).follow(journal?.head() ?? 0, check, reject);
    try {
      check(); // it may have stopped in between
      await over;
      print.end();
      const why = describeStop();
      if (why !== undefined) printLine(why);
      return 0;
    } finally {
      events.close();
      reader.stop();
      feed.close();
    }
  });
}

const isStopped = ({ halt, parked, status }: LineRecord): boolean =>
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
