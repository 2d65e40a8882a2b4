import { requestOrRun, getUserName } from '../ask.ts';
import { hasFlag, readTaskArgument } from '../options.ts';
import { printJson, printLine } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon undo`: takes a merged task out again, by a gated revert commit. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const result = await requestOrRun(invocation, { do: 'undo', taskId, by: getUserName() });
  if (hasFlag(invocation.options, 'json'))
    printJson({ task_id: taskId, status: result.status, undone_as: result.commit });
  else
    printLine(
      `${taskId} is undone${result.commit === null ? '' : ` as ${result.commit.slice(0, 12)}`}; its merge and every attempt stay in git.`,
    );
  return 0;
}
