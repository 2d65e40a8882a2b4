import { formatDiffStat, type Change, type GateResult } from '../../record/change.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import { classifyEvent } from '../../record/step-event.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { foldEntry } from '../../core/fold-journal.ts';

/** One attempt of the implementer, its last gate run, and the line's last word on it; no commit without a change. */
export type AttemptFacts = ReturnType<typeof attemptOf>;

/**
 * Every attempt, oldest first; a change rebased onto a moved target has its own row. Numbers continue from an earlier
 * admission. `refs` are those that keep attempts, by commit.
 */
export function listAttempts(
  entries: readonly JournalEntry[],
  earlier: TaskRecord | undefined,
  refs: ReadonlyMap<string, string>,
): readonly AttemptFacts[] {
  const attempts: AttemptFacts[] = [];
  let record = earlier;
  for (const entry of entries) {
    const before = record;
    record = foldEntry(record, entry);
    if (entry.kind === 'interrupted' && entry.station === 'implementer' && record !== undefined)
      attempts.push(attemptOf(record.attempt, entry.at, 'interrupted; andon was ended while the implementer worked'));
    if (entry.kind !== 'moved' || before === undefined) continue;
    const { change, gates, choice } = entry.facts;
    if (change !== undefined) attempts.push(attemptOf(change.attempt, entry.at, '', change, refs));
    else if (entry.from === 'pending_implementer' && attempts.at(-1)?.number !== before.attempt)
      attempts.push(attemptOf(before.attempt, entry.at, entry.reason));
    const last = attempts.at(-1);
    // Stops for other reasons do not concern the change; a halt answered by comments does.
    const isFateful = classifyEvent(entry.event).of === 'change' || choice?.comments !== undefined;
    if (last === undefined || last.commit === null || !isFateful) continue;
    const result = gates && { gates: gates.results, gates_tree: gates.tree, cage: gates.cage ?? null };
    attempts[attempts.length - 1] = { ...last, ...result, fate: entry.reason };
  }
  return attempts.filter(({ number }) => number > (earlier?.attempt ?? 0));
}

function attemptOf(
  number: number,
  at: string,
  fate: string,
  change?: Change,
  refs: ReadonlyMap<string, string> = new Map(),
) {
  return {
    number,
    at,
    commit: change?.commit ?? null,
    tree: change?.tree ?? null,
    ref: (change && refs.get(change.commit)) ?? null,
    diff: change === undefined ? null : formatDiffStat(change),
    gates: [] as readonly GateResult[],
    gates_tree: null as string | null,
    cage: null as string | null,
    notes: change?.notes ?? '',
    fate,
  };
}
