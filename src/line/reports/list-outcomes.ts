import type { JournalEntry } from '../record/journal-entry.ts';
import type { BreakerId } from '../record/trip.ts';
import { foldJournal } from '../core/fold-journal.ts';

/** A merge or a halt of a task. */
interface TaskOutcome {
  /** In UTC. */
  readonly day: string;
  /** What halted it; null = it was merged. */
  readonly breaker: BreakerId | null;
  /** It was merged at its first attempt; calls that andon's own end cut off count for nothing. */
  readonly isFirstPass: boolean;
}

/** The merge and the halts of one task, oldest first. A merge that was undone later is left out. */
export function listOutcomes(entries: readonly JournalEntry[]): readonly TaskOutcome[] {
  const isUndone = entries.some(({ kind }) => kind === 'undone');
  return entries.flatMap((entry): readonly TaskOutcome[] => {
    if (entry.kind !== 'moved') return [];
    const day = entry.at.slice(0, 10);
    const { halt } = entry.facts;
    if (entry.to === 'erik_consultation' && halt !== undefined)
      return [{ day, breaker: halt.trip.breaker, isFirstPass: false }];
    if (entry.to !== 'merged' || isUndone) return [];
    const cut = entries.filter((one) => one.kind === 'interrupted' && one.station === 'implementer').length;
    return [{ day, breaker: null, isFirstPass: foldJournal(entries)?.attempt === 1 + cut }];
  });
}
