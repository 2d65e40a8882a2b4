import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { resumeEither } from '../../../line/resume-command.ts';
import { carryOut, whoAmI } from '../ask.ts';
import { flag, taskArgument, textOption } from '../options.ts';
import { json, line } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon halt`: the cord. What runs is ended, and the line stands until somebody chooses a path. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  const reason = inOneTerminalLine(textOption(invocation.options, 'reason') ?? '', 300);
  const result = await carryOut(invocation, { do: 'halt', taskId, by: whoAmI(), reason });
  if (flag(invocation.options, 'json')) json({ task_id: taskId, status: result.status });
  else {
    const halt = await withJournal(invocation, (journal) => recordOf(journal, taskId).halt);
    line(`${taskId} is halted. Read _handoff/ERIK_HALT.md, then: ${resumeEither(taskId, halt?.id)}`);
  }
  return 0;
}
