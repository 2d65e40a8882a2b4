import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { activeOf, recordsOf } from '../../../wiring/records-of.ts';
import { haltFile, resumeEither } from '../../../line/resume-command.ts';
import { carryOut, whoAmI } from '../ask.ts';
import { flag, taskArgument, textOption } from '../options.ts';
import { json, line } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon halt`: the cord. It ends what runs and stops the line until a path is chosen; of one task, others go on. */
export async function run(invocation: Invocation): Promise<number> {
  const reason = inOneTerminalLine(textOption(invocation.options, 'reason') ?? '', 300);
  const named = invocation.args[0] === undefined ? undefined : taskArgument(invocation);
  const taskId = named ?? (await withJournal(invocation, (journal) => activeOf(recordsOf(journal))?.taskId));
  const about = named === undefined ? {} : { taskId: named };
  const result = await carryOut(invocation, { do: 'halt', ...about, by: whoAmI(), reason });
  if (flag(invocation.options, 'json')) json({ task_id: taskId ?? null, status: result.status });
  else if (taskId !== undefined) {
    const { halt, parked } = await withJournal(invocation, (journal) => recordOf(journal, taskId));
    const what = named === undefined ? `The line is stopped, at ${taskId}` : `${taskId} is halted`;
    line(`${what}. Read ${haltFile(taskId, parked !== undefined)}, then: ${resumeEither(taskId, halt?.id)}`);
  }
  return 0;
}
