import { createFault, formatJsonPath, findNearestLine, formatValue } from '../../base/fault.ts';
import type { Fault, JsonPath } from '../../base/fault.ts';
import type { JsonDocument } from '../../base/json.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { describeUnmetWait, describeQueueWait } from '../../line/order/describe-wait.ts';
import { isKeptBack, computeTurns } from '../../line/order/turns.ts';
import type { Never, Queued } from '../../line/order/turns.ts';
import { noteMergedElsewhere, readQueueEvents } from '../journal/queue-events.ts';
import { findReceipt } from '../git/merge-state.ts';
import type { Services } from '../../wiring/services.ts';

/** What of a contract's place in the order is asked besides. */
export interface AfterWhat {
  /** The task has begun, so that it cannot wait for anything any more. */
  readonly hasBegun?: boolean;
  /** Contracts that are to wait beside it, and do not lie in the queue yet. */
  readonly beside?: readonly Queued[];
}

type Needs = Pick<Services, 'clock' | 'journal' | 'queue' | 'repository'>;

/** What is wrong with the tasks that a contract is to come after: nobody knows them, they come to nothing, or it would wait for itself. */
export async function checkAfter(
  services: Needs,
  contract: TaskContract,
  { lineOf, target }: { readonly lineOf: JsonDocument['lineOf']; readonly target: string },
  { hasBegun = false, beside = [] }: AfterWhat,
): Promise<readonly Fault[]> {
  const { taskId, after = [], notBefore } = contract;
  if (after.length === 0 && notBefore === undefined) return [];
  const { tasks } = readQueueEvents(services.journal);
  const others = [...services.queue.waiting([]), ...beside].filter((one) => one.taskId !== taskId);
  for (const task of after)
    if (!tasks.has(task) && !others.some((one) => one.taskId === task))
      if ((await findReceipt(services, task, target)) !== undefined) noteMergedElsewhere(services.journal, task);
  const own: Queued = { name: '', taskId, priority: 0, after, notBefore, goesFirst: true, waitsFor: 'its turn' };
  const turns = computeTurns([own, ...others], { now: services.clock.now(), tasks });
  const turn = turns.find(({ one }) => one === own);
  const known = [...tasks.keys(), ...others.flatMap((one) => one.taskId ?? [])];
  const faults = (turn?.never ?? []).flatMap((never) =>
    never.key === 'after' ? [createAfterFault(never, known, lineOf)] : [],
  );
  if (faults.length > 0 || !hasBegun || turn === undefined || !isKeptBack(turn)) return faults;
  const path: JsonPath = [turn.waits.some((one) => one.for === 'another task') ? 'after' : 'not_before'];
  const expected = `nothing to wait for: the task has begun (it ${describeQueueWait(turn.waits, '')}); abandon it and drop it again`;
  const found = formatValue(path[0] === 'after' ? after : notBefore);
  return [createFault(formatJsonPath(path), found, expected, undefined, findNearestLine(lineOf, path))];
}

/** Why a contract cannot begin as it stands, as a fault of its file. */
export function createAfterFault(never: Never, known: readonly string[], lineOf: JsonDocument['lineOf']): Fault {
  const path: JsonPath = never.key === 'after' ? ['after', never.at] : ['task_id'];
  const { expected, example } = describeUnmetWait(never, known);
  const found =
    never.key === 'after'
      ? JSON.stringify(never.task)
      : never.is === 'waiting'
        ? 'an id that is taken'
        : `an id that is ${never.is}`;
  return createFault(formatJsonPath(path), found, expected, example, findNearestLine(lineOf, path));
}
