import type { JournalEntry } from '../record/journal-entry.ts';
import { costOf } from './cost.ts';
import type { Cost } from './cost.ts';

/** What the calls of one task used on each day (UTC) on which one ended, oldest first. */
export function costsByDay(entries: readonly JournalEntry[]): readonly (Cost & { readonly day: string })[] {
  const days = [...new Set(entries.map(({ at }) => at.slice(0, 10)))].toSorted();
  return days.flatMap((day) => {
    const { total } = costOf(
      entries.filter(({ at }) => at.slice(0, 10) <= day),
      day,
    ); // a call may have begun the day before
    return total.calls === 0 && total.minutes === 0 ? [] : [{ day, ...total }];
  });
}
