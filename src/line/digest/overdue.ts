import type { LineRecord } from '../../record/line-record.ts';

/** A wait whose own end has passed for so long needs somebody: clocks differ, and a provider is asked again a minute late. */
const OVERDUE_MS = 10 * 60_000;

/** Whether a task waits for longer than it said it would. */
export function isOverdue({ hold, halt, parked }: LineRecord, now: string): boolean {
  const until = hold?.until ?? undefined;
  if (until === undefined || halt !== undefined || parked !== undefined) return false;
  return Date.parse(now) - Date.parse(until) > OVERDUE_MS;
}
