import type { Change, GateRun } from '../../../record/change.ts';
import type { JournalEntry, Moved } from '../../../record/journal-entry.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { foldEntry } from '../../record.ts';

/** One attempt of the implementer and its outcome. */
export interface Attempt {
  readonly number: number;
  readonly at: string;
  /** Undefined when the attempt produced no change. */
  readonly change: Change | undefined;
  /** Its last gate run. */
  readonly gates: GateRun | undefined;
  /** The line's last word on it. */
  readonly fate: string;
  readonly isBad: boolean;
}

/**
 * Every attempt, oldest first; a change rebased onto a moved target has its own row. Numbers continue from an earlier
 * admission.
 */
export function listAttempts(entries: readonly JournalEntry[], earlier: LineRecord | undefined): readonly Attempt[] {
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

/** Records a transition's outcome for the newest change; stops for other reasons do not concern it. */
function tellFate(attempts: Attempt[], entry: Moved): void {
  const last = attempts.at(-1);
  const isGood = entry.facts.choice?.comments === undefined ? JUDGES_CHANGE[entry.event] : false;
  if (last?.change === undefined || isGood === undefined) return;
  const gates = entry.facts.gates ?? last.gates;
  const isBad = !isGood || entry.facts.halt !== undefined || (entry.facts.report?.verdict ?? 'PASS') !== 'PASS';
  attempts[attempts.length - 1] = { ...last, gates, isBad, fate: entry.reason };
}

/** Events about the change itself, and whether it advances. */
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
  sent_back: false,
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
