import { DEFAULT_CONTRACT_LIMITS } from '../../project/contract/task-contract-defaults.ts';
import type { Facts } from '../record/facts.ts';
import type { Change } from '../record/change.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Path, Trip } from '../record/trip.ts';

/** Why the line must stop: the positions of the parties in their own words, and the two ways on. */
export interface Conflict extends Pick<Trip, 'reason' | 'sides'> {
  readonly paths: readonly [Path, Path];
  /** The whole line is halted; without it the task alone, which is parked while others continue. */
  readonly reach?: 'line';
}

/** When to stop: a pure check of the record. */
export interface Breaker {
  /** Shown by `andon show --explain`; what a halt asks a person is in `halt-words.ts`. */
  readonly question: string;
  check(record: TaskRecord): Conflict | undefined;
}

/** The path shared by several breakers: leave the task, keep branch and refs. */
export const abandon = (record: TaskRecord, does = describeKept(record)): Path => ({
  title: 'Abandon the task',
  does,
  effect: { to: 'abandoned' },
});

/** What git has of a task that was given up. */
export function describeKept({ taskId, change, history, attempt }: TaskRecord): string {
  const refs = `task/${taskId}, refs/andon/${taskId}/`;
  if (change !== undefined || history.some(({ event }) => event === 'code_written' || event === 'gate_red'))
    return `Its branch and every attempt (${refs}) stay in git.`;
  // A discarded change is no part of the record; refused answers make none.
  return attempt === 0
    ? 'No change was made, so git keeps none.'
    : `What was committed of it stays in git, under refs/andon/${taskId}/.`;
}

export const OUTSIDE_JUDGE =
  'andon writes _handoff/REVIEW_REQUEST.md and waits. A human or another tool renames it to REVIEW_IN_PROGRESS.md, reads the change, and writes _handoff/JUDGE_REPORT.json (andon agents judge does it with claude).';

/** The refused answer over the limit; undefined while an implementer may still correct it. */
export function findExcessRefusal({ refusedAnswers, grants, lastFacts }: TaskRecord): Facts['strike'] {
  const isTooOften = refusedAnswers > DEFAULT_CONTRACT_LIMITS.refusedAnswers + grants.stallTries;
  return isTooOften && lastFacts.strike?.kind === 'refused' ? lastFacts.strike : undefined;
}

/** The side of a change at a halt: the implementer's notes, or that a person has commits in it. */
export function sideOfChange({ authors, notes }: Change): Trip['sides'][number] {
  if (notes.trim() !== '') return { who: 'implementer', says: notes };
  return authors === undefined
    ? { who: 'implementer', says: 'The change speaks for itself (no notes).' }
    : { who: 'you', says: 'The change has your commits on the branch of the task (no notes).' };
}
