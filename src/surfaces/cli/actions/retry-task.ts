import { dropContract } from '../../../daemon/intake/drop-contract.ts';
import { activeOf, recordsOf } from '../../../wiring/records-of.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { FILES, branchName } from '../../../base/names.ts';
import { mistake } from '../../../base/problem.ts';
import { carryOut, whoAmI } from '../ask.ts';
import { flag, taskArgument } from '../options.ts';
import { json, line } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon resume --again`: a call that waits is made now; a task that was given up is dropped again, as it was written. */
export async function retryTask(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  const dropped = await withJournal(invocation, (journal, place) => {
    const record = recordOf(journal, taskId);
    if (record.status === 'merged')
      throw mistake(`${taskId} is merged.`, runCommand(`andon undo ${taskId}`, 'to take it out again'));
    if (record.status !== 'abandoned') return undefined;
    const isBusy = activeOf(recordsOf(journal)) !== undefined;
    return dropContract(place, taskId, `${JSON.stringify(withTarget(record), null, 2)}\n`, isBusy);
  });
  if (dropped === undefined) await carryOut(invocation, { do: 'retry', taskId, by: whoAmI() });
  if (flag(invocation.options, 'json')) json({ task_id: taskId, dropped: dropped ?? null });
  else if (dropped === undefined) line(`${taskId}: the call that waits is made now.`);
  else
    line(
      `${taskId} is dropped again: ${dropped}${dropped.endsWith(`/${FILES.contract}`) ? '' : ' (the line is busy; it waits its turn)'}.`,
    );
  return 0;
}

/** The contract as written, bound to its branch: another one may be checked out now. */
function withTarget({ document, contract, target }: LineRecord): object {
  if (contract.targetBranch !== undefined) return document;
  const git = document['git'];
  return { ...document, git: { ...(typeof git === 'object' ? git : {}), base_branch: branchName(target) } };
}
