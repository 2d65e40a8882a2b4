import { lineNow } from '../../../daemon/readers/line-now.ts';
import { shownInInbox } from '../../../wiring/files.ts';
import { recordsOf } from '../../../wiring/records-of.ts';
import { localTime, withLocalTimes } from '../../../base/local-time.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { doingNow } from '../../../line/line-in-words.ts';
import { viewTask } from '../../../line/view.ts';
import { flag } from '../options.ts';
import { json, line, statusStyle, styled } from '../print.ts';
import { withJournal } from '../tasks.ts';
import { fitted, shownWidth } from '../../../base/shown-width.ts';
import { columns, inColumn } from '../width.ts';
import type { Invocation } from '../command.ts';

/** What a row may be narrowed to before its reason is no reason any more. */
const LEAST_ID = 10;
const LEAST_REASON = 14;

/** `andon list`: every task of this repository, oldest first, one row each, no wider than the terminal. */
export function run(invocation: Invocation): Promise<number> {
  return withJournal(invocation, async (journal, place) => {
    const views = recordsOf(journal).map(viewTask);
    const facts = await lineNow(place, journal);
    const width = columns(invocation.env);
    if (flag(invocation.options, 'json'))
      json(views.map((view) => ({ ...view, now: inOneTerminalLine(doingNow(view, facts), 400) })));
    else if (views.length === 0)
      line('no task was ever admitted here; `andon status` shows what waits, `andon new` makes one.');
    else {
      const now = new Date();
      const rows = views.map((view) => ({
        id: view.task_id,
        status: view.status,
        time: localTime(view.since, now),
        reason: withLocalTimes(inOneTerminalLine(doingNow(view, facts), 400), now),
      }));
      printRows(rows, width);
    }
    const { waiting, refusals } = facts;
    if (views.length > 0 && !flag(invocation.options, 'json') && waiting.length + refusals.length > 0)
      line(
        fitted(
          `and in ${inOneTerminalLine(shownInInbox(place, ''), 400)}: ${waiting.length} waiting, ${refusals.length} refused; see andon status`,
          width,
        ),
      );
    return 0;
  });
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly time: string;
  readonly reason: string;
}

function printRows(rows: readonly Row[], width: number): void {
  const widest = (column: 'id' | 'status' | 'time'): number => Math.max(...rows.map((row) => shownWidth(row[column])));
  const [status, time] = [widest('status'), widest('time')];
  const gaps = 5;
  const room = width - status - time - gaps;
  const id = Math.max(LEAST_ID, Math.min(widest('id'), room - LEAST_REASON, Math.max(room - 60, Math.floor(room / 2))));
  for (const row of rows) {
    const head = `${inColumn(row.id, id)} ${styled(statusStyle(row.status), inColumn(row.status, status))}  ${inColumn(row.time, time)}`;
    // Where even that does not fit, the reason is left to `status` and `show`.
    const rest = room - id;
    line(rest >= LEAST_REASON ? `${head}  ${fitted(row.reason, rest)}` : head);
  }
}
