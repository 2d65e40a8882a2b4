import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { carryOut, whoAmI } from '../ask.ts';
import { flag, taskArgument } from '../options.ts';
import { json, line } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon abandon`: gives a task up at any status. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  const result = await carryOut(invocation, { do: 'abandon', taskId, by: whoAmI() });
  if (flag(invocation.options, 'json')) json({ task_id: taskId, status: result.status });
  else
    line(
      `${taskId} is ${inOneTerminalLine(result.reason, 300)}. Its branch task/${taskId} and every attempt (refs/andon/${taskId}/) stay in git.`,
    );
  return 0;
}
