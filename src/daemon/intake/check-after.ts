import {
  createFault,
  formatJsonPath,
  findNearestLine,
  formatValue,
  type Fault,
  type JsonPath,
} from '../../base/fault.ts';
import type { JsonDocument } from '../../base/json.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { describeUnmetWait, describeQueueWait } from '../../line/order/describe-wait.ts';
import { isKeptBack, computeTurns, type Never, type Queued } from '../../line/order/turns.ts';
import { noteMergedElsewhere, readQueueEvents } from '../journal/queue-events.ts';
import { findReceipt } from '../git/merge-state.ts';
import type { Needs } from '../../wiring/services.ts';

/** The surroundings of a contract in the order. */
export interface AfterWhat {
  /** The task has begun, so it cannot wait any more. */
  readonly hasBegun?: boolean;
  /** Contracts that are dropped with it, and are not in the queue yet. */
  readonly beside?: readonly Queued[];
}

type OwnServices = Needs<'clock' | 'journal' | 'queue' | 'repository'>;

/** Checks the predecessors of a contract: unknown ones, ones that can never be merged, and a circle are faults. */
export async function checkAfter(
  services: OwnServices,
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
  const turn = computeTurns([own, ...others], { now: services.clock.now(), tasks }).find(({ one }) => one === own);
  const known = [...tasks.keys(), ...others.flatMap((one) => one.taskId ?? [])];
  const unmet = (turn?.never ?? []).filter(({ key }) => key === 'after');
  const faults = unmet.map((never) => createAfterFault(never, known, lineOf));
  if (faults.length > 0 || !hasBegun || turn === undefined || !isKeptBack(turn)) return faults;
  const isTask = turn.waits.some((one) => one.for === 'another task');
  const path: JsonPath = [isTask ? 'after' : 'not_before'];
  const expected = `nothing to wait for: the task has begun (it ${describeQueueWait(turn.waits, '')}); abandon it and drop it again`;
  const found = formatValue(isTask ? after : notBefore);
  return [createFault(formatJsonPath(path), found, expected, undefined, findNearestLine(lineOf, path))];
}

/** The fault of a contract that can never begin in its current form. */
export function createAfterFault(never: Never, known: readonly string[], lineOf: JsonDocument['lineOf']): Fault {
  const path: JsonPath = never.key === 'after' ? ['after', never.at] : ['task_id'];
  const { expected, example } = describeUnmetWait(never, known);
  const taken = never.is === 'waiting' ? 'an id that is taken' : `an id that is ${never.is}`;
  const found = never.key === 'after' ? JSON.stringify(never.task) : taken;
  return createFault(formatJsonPath(path), found, expected, example, findNearestLine(lineOf, path));
}
