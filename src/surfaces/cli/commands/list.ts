import { recordsOf } from '../../../floor/line-now.ts';
import { inOneTerminalLine } from '../../../formats/plain-text.ts';
import { viewTask } from '../../../line/view.ts';
import type { TaskView } from '../../../line/view.ts';
import { flag } from '../options.ts';
import { json, line, statusStyle, styled } from '../print.ts';
import { withJournal } from '../tasks.ts';
import type { Invocation } from './command.ts';

/** `andon list`: every task of this repository, oldest first. */
export function run(invocation: Invocation): Promise<number> {
  return withJournal(invocation, (journal) => {
    const views = recordsOf(journal).map(viewTask);
    if (flag(invocation.options, 'json')) json(views);
    else if (views.length === 0)
      line('no task was ever admitted here; `andon status` shows what waits, `andon new` makes one.');
    else
      for (const view of views)
        line(
          `${view.task_id.padEnd(24)} ${styled(statusStyle(view.status), view.status.padEnd(20))} ${view.since}  ${view.hold === null ? '' : 'waits: '}${inOneTerminalLine(view.hold?.reason ?? undone(view) ?? view.status_reason, 100)}`,
        );
    return 0;
  });
}

const undone = ({ undone_as: commit }: TaskView): string | undefined =>
  commit === null ? undefined : `undone as ${commit.slice(0, 12)}`;
