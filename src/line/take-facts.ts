import type { Feedback } from '../record/facts.ts';
import { unallowed } from '../record/gate-bending.ts';
import type { GateBending } from '../record/gate-bending.ts';
import type { Moved } from '../record/journal-entry.ts';
import type { LineRecord, Rejected } from '../record/line-record.ts';
import { isJudged, reviewsIn, withReviews } from '../record/reviews.ts';
import type { Review } from '../record/reviews.ts';
import { takeChoice } from './grants.ts';
import { panelAfter } from './panel-after.ts';
import { remembered } from './rejected.ts';
import { afterRules, putOffAfter, regeneratedAfter } from './ruled-after.ts';
import { inARowAfter, takeOver } from './takeover.ts';

/** Takes in what the station found out. Counters are counted here, from outcomes, and nowhere else. */
export function takeFacts(record: LineRecord, entry: Moved): LineRecord {
  const { facts } = entry;
  let next = record;
  if (facts.strike) {
    const stalls = next.stalls + (facts.strike.kind === 'stall' ? 1 : 0);
    const refusedAnswers = next.refusedAnswers + (facts.strike.kind === 'refused' ? 1 : 0);
    const strikes = facts.strike.kind === 'refused' ? next.strikes : [...next.strikes, facts.strike];
    const partial = facts.strike.kind === 'refused' ? facts.partial : next.partial;
    next = { ...next, strikes, stalls, refusedAnswers, partial };
  }
  if (facts.scopeRefused || facts.protectedRefused) next = { ...next, scopeRefusals: next.scopeRefusals + 1 };
  if (facts.feedback) next = { ...next, feedback: replaceFeedback(next.feedback, facts.feedback) };
  if (facts.change) {
    // A new tree makes everything that was said about the old one void.
    next = {
      ...next,
      change: facts.change,
      gates: undefined,
      bending: undefined,
      reviews: [],
      panel: undefined,
      askedAnew: undefined,
      rebuttal: [],
      sided: undefined,
      onlyGates: false,
      fresh: false,
      strikes: [],
      refusedAnswers: 0,
      partial: undefined,
      todos: undefined,
      scopeRefusals: 0,
    };
  }
  next = { ...next, regenerated: regeneratedAfter(next, facts), ...afterRules(next, facts) };
  if (facts.rulings?.some(({ moment }) => moment === 'contract')) next = { ...next, contractRuled: true };
  next = { ...next, putOff: putOffAfter(next, facts) };
  if (facts.bending) next = takeBending(next, facts.bending);
  if (facts.gates) next = { ...next, gates: facts.gates, onlyGates: false };
  if (facts.todos) next = { ...next, todos: facts.todos };
  next = { ...next, ...panelAfter(next, facts) };
  if (facts.panel) next = { ...next, refusedAnswers: 0 }; // the next one's answers are counted anew
  const reviews = reviewsIn(facts);
  if (reviews.length > 0) next = takeReviews(next, reviews);
  if (facts.judgeUnreadable !== undefined) next = { ...next, unreadableReports: next.unreadableReports + 1 };
  if (facts.rebuttal) next = { ...next, rebuttal: facts.rebuttal, rebuttals: next.rebuttals + 1 };
  if (facts.targetMoved) next = { ...next, base: facts.targetMoved.base, onlyGates: facts.targetMoved.toFix !== true };
  if (facts.consents) next = { ...next, grants: { ...next.grants, gates: [...next.grants.gates, ...facts.consents] } };
  if (facts.merge) next = { ...next, merge: facts.merge };
  if (facts.choice) next = takeChoice(next, entry, facts.choice);
  next = countRounds({ ...next, inARow: inARowAfter(next, entry) }, entry);
  return facts.takeover === undefined ? next : takeOver(next, facts.takeover, entry.at);
}

/** Whoever answered has no strike any more; on a new report nobody has taken a side. */
function takeReviews(record: LineRecord, now: readonly Review[]): LineRecord {
  const judged = now.filter(isJudged);
  const next = { ...record, reviews: withReviews(record.reviews, now), strikes: [] };
  return judged.length === 0 ? next : { ...next, rounds: [...record.rounds, ...judged], sided: undefined };
}

/** A change that weakens its gates goes back to where they are whole; what a human committed, he has allowed. */
function takeBending(record: LineRecord, bending: GateBending): LineRecord {
  const own = bending.bends.filter(({ consent }) => consent === 'your commits').map(({ mark }) => mark);
  const weakened = [...new Set([...record.grants.weakened, ...own])];
  const next = { ...record, bending, grants: { ...record.grants, weakened } };
  return unallowed(bending).length === 0
    ? next
    : { ...next, weakenings: record.weakenings + 1, onlyGates: false, fresh: true };
}

/** A review's fixes replace everything; red gates and refused answers only add to what a review still demands. */
function replaceFeedback(before: readonly Feedback[], now: readonly Feedback[]): readonly Feedback[] {
  if (now.some(({ from }) => from === 'reviewer' || from === 'judge')) return now;
  return [...before.filter(({ from }) => !now.some((one) => one.from === from) && from !== 'answer'), ...now];
}

/** A change that goes back is one review cycle, and is remembered as rejected. */
function countRounds(record: LineRecord, entry: Moved): LineRecord {
  if (entry.event === 'quick_fix') {
    const { stage, task } = record.quickFixes;
    return { ...record, quickFixes: { stage: stage + 1, task: task + 1 } };
  }
  const by = REJECTED_BY[entry.event];
  if (by === undefined || record.change === undefined)
    return entry.event === 'local_pass' ? { ...record, localRounds: 0 } : record;
  return {
    ...remembered(record, record.change, by, entry.facts.feedback?.[0]?.text ?? entry.reason),
    reviewCycles: record.reviewCycles + 1,
    quickFixes: { ...record.quickFixes, stage: 0 },
    localRounds: by === 'reviewer' ? record.localRounds + 1 : by === 'judge' ? 0 : record.localRounds,
  };
}

const REJECTED_BY: Readonly<Record<string, Rejected['by'] | undefined>> = {
  gate_red: 'gates',
  rule_red: 'rules',
  local_fail: 'reviewer',
  fail_agree: 'judge',
};
