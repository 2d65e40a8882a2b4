import { toTerminalLine } from '../../../base/plain-text.ts';
import { requestOrRun, getUserName } from '../ask.ts';
import { hasFlag, readTaskArgument } from '../options.ts';
import { printJson, printLine } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon abandon`: gives a task up at any status. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const result = await requestOrRun(invocation, { do: 'abandon', taskId, by: getUserName() });
  if (hasFlag(invocation.options, 'json')) printJson({ task_id: taskId, status: result.status });
  else
    printLine(
      `${taskId} is ${toTerminalLine(result.reason, 300)}. Its branch task/${taskId} and every attempt (refs/andon/${taskId}/) stay in git.`,
    );
  return 0;
}
