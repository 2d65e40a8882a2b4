import type { LineRecord } from '../../record/line-record.ts';
import { foldJournal } from '../../line/record.ts';
import { findActiveTask } from '../journal/active-task.ts';
import type { Arrivals } from '../intake/contract-queue.ts';
import type { PollLoop } from './poll-loop.ts';
import type { Services } from '../../wiring/services.ts';

/** Admits the next contract into the free place; its record, or undefined when none begins now. */
export async function admitNext(
  services: Services,
  arrivals: Arrivals,
  looks: PollLoop,
): Promise<LineRecord | undefined> {
  const arrival = await arrivals.next();
  if (arrival.kind === 'look again') void looks.look();
  const active = findActiveTask(services); // also without an arrival: then the next one need not read what was written since
  if (arrival.kind !== 'admitted' || looks.isStopped) return undefined;
  const { taskId } = arrival.entry.contract;
  if (active !== undefined && active.taskId !== taskId) return undefined; // one task at a time, whatever happened before
  services.journal.append(taskId, [arrival.entry]);
  const record = foldJournal(services.journal.entries(taskId));
  if (record !== undefined) services.say({ kind: 'entry', entry: arrival.entry, record });
  return record;
}
