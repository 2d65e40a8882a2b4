import { carryOut, whoAmI } from '../ask.ts';
import { flag, taskArgument } from '../options.ts';
import { json, line } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon undo`: takes a merged task out again, by a gated revert commit. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  const result = await carryOut(invocation, { do: 'undo', taskId, by: whoAmI() });
  if (flag(invocation.options, 'json')) json({ task_id: taskId, status: result.status, undone_as: result.commit });
  else
    line(
      `${taskId} is undone${result.commit === null ? '' : ` as ${result.commit.slice(0, 12)}`}; its merge and every attempt stay in git.`,
    );
  return 0;
}
