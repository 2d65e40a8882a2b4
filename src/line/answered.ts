import type { Called, Moved, Started } from '../record/journal-entry.ts';
import type { Answered } from '../record/line-record.ts';
import type { StationId, Status } from '../base/names.ts';

/** What a call brought that no transition has taken in yet; nothing, where it failed or nobody kept its answer. */
export const receivedBy = (started: Started | undefined, { ok, answer }: Called): Answered | undefined =>
  started === undefined || !ok || answer === undefined ? undefined : { started, digest: answer, faults: 0 };

/**
 * What is left of a received answer after a transition. A step that took it in has used it up. A halt that says nothing
 * about it (andon's own failure once, the cord, an edited file) keeps it, and so does the choice to go on as before: what
 * was paid for is not asked a second time, and a verdict is not forgotten.
 */
export function answeredAfter(answered: Answered | undefined, { to, facts }: Moved): Answered | undefined {
  if (answered === undefined) return undefined;
  if (facts.choice !== undefined) {
    const { effect } = facts.choice;
    const { to: _, contract, onlyGates = false, ...more } = effect;
    const isNew = facts.change !== undefined || onlyGates || contract === 'edited' || Object.keys(more).length > 0;
    return to === WORKS_AT[answered.started.station] && !isNew ? answered : undefined;
  }
  const isTaken = [facts.change, facts.review, facts.report, facts.strike, facts.judgeUnreadable, facts.canary].some(
    (fact) => fact !== undefined,
  );
  if (isTaken || to !== 'erik_consultation') return undefined;
  if (facts.cord !== undefined || facts.tampered !== undefined) return answered;
  return facts.fault === undefined || answered.faults > 0 ? undefined : { ...answered, faults: 1 };
}

/** Where the line stands while a station works. */
const WORKS_AT: Readonly<Record<StationId, Status>> = {
  implementer: 'pending_implementer',
  'local-reviewer': 'pending_local_review',
  judge: 'review_in_progress',
  'floor-manager': 'review_complete',
};
