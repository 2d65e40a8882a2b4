import { dropContract } from '../../../daemon/intake/drop-contract.ts';
import { findActiveRecord, readRecords } from '../../../wiring/read-records.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { FILES, toBranchName } from '../../../base/names.ts';
import { createUsageError } from '../../../base/problem.ts';
import { requestOrRun, getUserName } from '../ask.ts';
import { readTaskArgument } from '../options.ts';
import { printResult } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon resume --again`: a call that waits is made now; a task that was given up is dropped again, as it was written. */
export async function retryTask(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const dropped = await withJournal(invocation, (journal, place) => {
    const record = recordOf(journal, taskId);
    if (record.status === 'merged')
      throw createUsageError(`${taskId} is merged.`, runCommand(`andon undo ${taskId}`, 'to take it out again'));
    if (record.status !== 'abandoned') return undefined;
    const isBusy = findActiveRecord(readRecords(journal)) !== undefined;
    return dropContract(place, taskId, `${JSON.stringify(withTarget(record), null, 2)}\n`, isBusy);
  });
  if (dropped === undefined) await requestOrRun(invocation, { do: 'retry', taskId, by: getUserName() });
  const waits =
    dropped?.endsWith(`/${FILES.contract}`) === false ? ' It waits its turn; `andon queue` shows the order.' : '';
  return printResult(
    invocation,
    { task_id: taskId, dropped: dropped ?? null },
    dropped === undefined
      ? `The waiting call of ${taskId} is made now.`
      : `${taskId} is dropped again: ${dropped}.${waits}`,
  );
}

/** The contract as written, bound to its branch: another one may be checked out now. */
function withTarget({ document, contract, target }: LineRecord): object {
  if (contract.targetBranch !== undefined) return document;
  const git = document['git'];
  return { ...document, git: { ...(typeof git === 'object' ? git : {}), base_branch: toBranchName(target) } };
}
