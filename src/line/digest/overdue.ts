import type { Hold, LineRecord } from '../../record/line-record.ts';

/** A wait this long past its end needs a person: clocks differ, and a provider is asked again a minute late. */
const OVERDUE_MS = 10 * 60_000;

export type OverdueHold = Hold & { readonly until: string };

/** The overdue wait of a task; undefined also while the awaited call runs. */
export function findOverdueHold({ hold, halt, parked, openCall }: LineRecord, now: string): OverdueHold | undefined {
  const until = hold?.until ?? undefined;
  if (hold === undefined || until === undefined) return undefined;
  if (halt !== undefined || parked !== undefined || openCall !== undefined) return undefined;
  return Date.parse(now) - Date.parse(until) > OVERDUE_MS ? { ...hold, until } : undefined;
}
