import { toTerminalLine } from '../../../base/plain-text.ts';
import { haltReportPath, resumeEither } from '../../../line/resume-command.ts';
import { findActiveRecord, readRecords } from '../../../wiring/read-records.ts';
import { requestOrRun, getUserName } from '../ask.ts';
import type { Invocation } from '../command.ts';
import { hasFlag, readTaskArgument, readTextOption } from '../options.ts';
import { printResult } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';

/** `andon abandon`: gives a task up at any status. */
export async function requestAbandon(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { status, reason } = await requestOrRun(invocation, { do: 'abandon', taskId, by: getUserName() });
  return printResult(
    invocation,
    { task_id: taskId, status },
    `${taskId} is ${toTerminalLine(reason, 300)}. Its branch task/${taskId} and every attempt (refs/andon/${taskId}/) stay in git.`,
  );
}

/** `andon undo`: takes a merged task out again, by a gated revert commit. */
export async function requestUndo(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { status, commit } = await requestOrRun(invocation, { do: 'undo', taskId, by: getUserName() });
  return printResult(
    invocation,
    { task_id: taskId, status, undone_as: commit },
    `${taskId} is undone${commit === null ? '' : ` as ${commit.slice(0, 12)}`}; its merge and every attempt stay in git.`,
  );
}

/** `andon pause`: nothing more starts, until `--off`. */
export async function requestPause(invocation: Invocation): Promise<number> {
  const request = { do: hasFlag(invocation.options, 'off') ? 'unpause' : 'pause', by: getUserName() } as const;
  const { status, reason, watchdog } = await requestOrRun(invocation, request);
  return printResult(
    invocation,
    { paused: status === 'paused', since: reason === '' ? null : reason },
    status === 'paused'
      ? `The line is paused (since ${reason}). Run \`andon pause --off\` to let it go on.`
      : `The line goes on.${watchdog ? '' : ' No watchdog is running. Run `andon watch` to start one.'}`,
  );
}

/** `andon halt`: the cord. It ends what runs and stops the line until a path is chosen; of one task, others go on. */
export async function requestHalt(invocation: Invocation): Promise<number> {
  const reason = toTerminalLine(readTextOption(invocation.options, 'reason') ?? '', 300);
  const named = invocation.args[0] === undefined ? undefined : readTaskArgument(invocation);
  const taskId = named ?? (await withJournal(invocation, (journal) => findActiveRecord(readRecords(journal))?.taskId));
  const about = named === undefined ? {} : { taskId: named };
  const { status } = await requestOrRun(invocation, { do: 'halt', ...about, by: getUserName(), reason });
  const facts = { task_id: taskId ?? null, status };
  if (taskId === undefined) return printResult(invocation, facts);
  const record = await withJournal(invocation, (journal) => recordOf(journal, taskId));
  const what = named === undefined ? `The line is stopped, at ${taskId}` : `${taskId} is halted`;
  const next = `Read ${haltReportPath(taskId, record.parked !== undefined)}, then: ${resumeEither(taskId, record.halt?.id)}`;
  return printResult(invocation, facts, `${what}. ${next}`);
}
