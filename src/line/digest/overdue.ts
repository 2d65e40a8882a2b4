import type { Hold, LineRecord } from '../../record/line-record.ts';

/** A wait whose own end has passed for so long needs somebody: clocks differ, and a provider is asked again a minute late. */
const OVERDUE_MS = 10 * 60_000;

/** A wait that had an end. */
export type OverdueHold = Hold & { readonly until: string };

/** The wait of a task that goes on for longer than it said it would; undefined also while the call that was waited for is made. */
export function overdueHold({ hold, halt, parked, openCall }: LineRecord, now: string): OverdueHold | undefined {
  const until = hold?.until ?? undefined;
  if (hold === undefined || until === undefined) return undefined;
  if (halt !== undefined || parked !== undefined || openCall !== undefined) return undefined;
  return Date.parse(now) - Date.parse(until) > OVERDUE_MS ? { ...hold, until } : undefined;
}
