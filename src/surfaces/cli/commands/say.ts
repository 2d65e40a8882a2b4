import { createUsageError } from '../../../base/problem.ts';
import { LONGEST_SENTENCE } from '../../../record/request.ts';
import { requestOrRun, getUserName } from '../ask.ts';
import { hasFlag, readTaskArgument } from '../options.ts';
import { printJson, printLine } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon say`: a sentence for the agents of a task, which every later prompt of the task has. */
export async function run(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const [, written] = invocation.args;
  const text = typeof written === 'string' ? written.trim() : '';
  if (text === '' || text.length > LONGEST_SENTENCE)
    throw createUsageError(
      text === ''
        ? 'Missing argument: the sentence.'
        : `Invalid value: ${text.length} characters. At most ${LONGEST_SENTENCE} are sent.`,
      runCommand(`andon say ${taskId} "Use UTC everywhere"`),
    );
  await requestOrRun(invocation, { do: 'say', taskId, text, by: getUserName() });
  const { halt, openCall } = await withJournal(invocation, (journal) => recordOf(journal, taskId));
  if (hasFlag(invocation.options, 'json')) printJson({ task_id: taskId, said: text });
  else if (halt !== undefined)
    printLine(`Noted for ${taskId}, which waits for you. Choose a path: ${runCommand(`andon resume ${taskId}`)}`);
  else
    printLine(
      `Noted. The next prompt of ${taskId} has it.${openCall === undefined ? '' : ` The ${openCall.station} that works now does not.`}`,
    );
  return 0;
}
