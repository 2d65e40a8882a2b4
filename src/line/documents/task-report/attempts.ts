import type { Change, GateRun } from '../../../record/change.ts';
import type { JournalEntry, Moved } from '../../../record/journal-entry.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { foldEntry } from '../../record.ts';

/** One attempt of the implementer and what became of it. */
export interface Attempt {
  readonly number: number;
  readonly at: string;
  /** Undefined when the attempt came to no change. */
  readonly change: Change | undefined;
  /** The last gate run on it. */
  readonly gates: GateRun | undefined;
  /** What the line last said of it. */
  readonly fate: string;
  readonly isBad: boolean;
}

/** Every attempt, oldest first; a change that was carried onto a moved target is a row of its own. Numbers go on after an earlier admission. */
export function attemptsOf(entries: readonly JournalEntry[], earlier: LineRecord | undefined): readonly Attempt[] {
  const attempts: Attempt[] = [];
  let record = earlier;
  for (const entry of entries) {
    const before = record;
    record = foldEntry(record, entry);
    if (entry.kind === 'interrupted' && entry.station === 'implementer' && record !== undefined)
      attempts.push(without(record.attempt, entry.at, 'interrupted; andon was ended while the implementer worked'));
    if (entry.kind !== 'moved' || before === undefined) continue;
    const { change } = entry.facts;
    if (change !== undefined) attempts.push({ ...without(change.attempt, entry.at, ''), change });
    else if (entry.from === 'pending_implementer' && attempts.at(-1)?.number !== before.attempt)
      attempts.push(without(before.attempt, entry.at, entry.reason));
    tellFate(attempts, entry);
  }
  return attempts.filter(({ number }) => number > (earlier?.attempt ?? 0));
}

/** Takes down what a transition says of the newest change; what stops the line for other reasons says nothing of it. */
function tellFate(attempts: Attempt[], entry: Moved): void {
  const last = attempts.at(-1);
  const isGood = JUDGES_CHANGE[entry.event];
  if (last?.change === undefined || isGood === undefined) return;
  const gates = entry.facts.gates ?? last.gates;
  const isBad = !isGood || entry.facts.halt !== undefined || (entry.facts.report?.verdict ?? 'PASS') !== 'PASS';
  attempts[attempts.length - 1] = { ...last, gates, isBad, fate: entry.reason };
}

/** Events that are about the change itself, and whether it goes forward. */
const JUDGES_CHANGE: Readonly<Record<string, boolean | undefined>> = {
  code_written: true,
  gate_red: false,
  local_pass: true,
  local_fail: false,
  judge_complete: true,
  fail_agree: false,
  fail_disagree: true,
  pass: true,
  target_moved: false,
  merge_blocked: false,
};

const without = (number: number, at: string, fate: string): Attempt => ({
  number,
  at,
  fate,
  change: undefined,
  gates: undefined,
  isBad: true,
});
