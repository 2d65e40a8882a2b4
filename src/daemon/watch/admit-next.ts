import type { LineRecord } from '../../record/line-record.ts';
import { foldJournal } from '../../line/record.ts';
import { findActiveTask } from '../journal/active-task.ts';
import type { Arrivals } from '../intake/contract-queue.ts';
import type { PollLoop } from './poll-loop.ts';
import type { Needs } from '../../wiring/services.ts';

/** Admits the next contract to the free line; returns its record, or undefined when none begins now. */
export async function admitNext(
  services: Needs<'journal' | 'say'>,
  arrivals: Arrivals,
  pollLoop: PollLoop,
): Promise<LineRecord | undefined> {
  const arrival = await arrivals.next();
  if (arrival.kind === 'look again') void pollLoop.poll();
  const active = findActiveTask(services); // also without an arrival, so that the next one reads only new entries
  if (arrival.kind !== 'admitted' || pollLoop.isStopped) return undefined;
  const { taskId } = arrival.entry.contract;
  if (active !== undefined && active.taskId !== taskId) return undefined; // one task at a time, after any crash too
  services.journal.append(taskId, [arrival.entry]);
  const record = foldJournal(services.journal.entries(taskId));
  if (record !== undefined) services.say({ kind: 'entry', entry: arrival.entry, record });
  return record;
}
