import { toTerminalLine } from '../../../base/plain-text.ts';
import { findActiveRecord, readRecords } from '../../../wiring/read-records.ts';
import { haltReportPath, resumeEither } from '../../../line/resume-command.ts';
import { requestOrRun, getUserName } from '../ask.ts';
import { hasFlag, readTaskArgument, readTextOption } from '../options.ts';
import { printJson, printLine } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon halt`: the cord. It ends what runs and stops the line until a path is chosen; of one task, others go on. */
export async function run(invocation: Invocation): Promise<number> {
  const reason = toTerminalLine(readTextOption(invocation.options, 'reason') ?? '', 300);
  const named = invocation.args[0] === undefined ? undefined : readTaskArgument(invocation);
  const taskId = named ?? (await withJournal(invocation, (journal) => findActiveRecord(readRecords(journal))?.taskId));
  const about = named === undefined ? {} : { taskId: named };
  const result = await requestOrRun(invocation, { do: 'halt', ...about, by: getUserName(), reason });
  if (hasFlag(invocation.options, 'json')) printJson({ task_id: taskId ?? null, status: result.status });
  else if (taskId !== undefined) {
    const { halt, parked } = await withJournal(invocation, (journal) => recordOf(journal, taskId));
    const what = named === undefined ? `The line is stopped, at ${taskId}` : `${taskId} is halted`;
    printLine(`${what}. Read ${haltReportPath(taskId, parked !== undefined)}, then: ${resumeEither(taskId, halt?.id)}`);
  }
  return 0;
}
