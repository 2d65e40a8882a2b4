import { unallowed } from '../record/gate-bending.ts';
import type { GateBending } from '../record/gate-bending.ts';
import type { Held, JournalEntry, Moved } from '../record/journal-entry.ts';
import type { Feedback } from '../record/facts.ts';
import type { LineRecord, Rejected, Spent } from '../record/line-record.ts';
import { isJudged, reviewsIn, withReviews } from '../record/reviews.ts';
import type { Review } from '../record/reviews.ts';
import type { Unreadable } from '../record/unreadable-entry.ts';
import { inMillionths } from '../record/usage.ts';
import { chargeCall, chargeHeld, chargeInterrupted } from './charge.ts';
import type { Charge } from './charge.ts';
import { takeChoice } from './grants.ts';
import { openRecord } from './open-record.ts';
import { answeredAfter, receivedBy } from './answered.ts';
import { panelAfter } from './panel-after.ts';
import { afterRules, putOffAfter, regeneratedAfter } from './ruled-after.ts';
import { remembered } from './rejected.ts';
import { inARowAfter, takeOver } from './takeover.ts';

/** Folds the journal of one task into its record; undefined when nothing was admitted yet. */
export function foldJournal(entries: readonly JournalEntry[]): LineRecord | undefined {
  return entries.reduce<LineRecord | undefined>((record, entry) => foldEntry(record, entry), undefined);
}

/**
 * The record as the contract on disk shows it: that of the last transition, so that calls under way do not change the
 * seal. `back` goes that many transitions further back.
 */
export function foldSealed(entries: readonly JournalEntry[], back = 0): LineRecord | undefined {
  const seals = entries.flatMap(({ kind }, index) => (kind === 'moved' || kind === 'admitted' ? [index] : []));
  const last = seals.at(-1 - back);
  return last === undefined ? undefined : foldJournal(entries.slice(0, last + 1));
}

/** Takes one more entry into the record; the only place where a record changes. Pure. */
export function foldEntry(record: LineRecord | undefined, entry: JournalEntry): LineRecord | undefined {
  if (entry.kind === 'admitted') return openRecord(entry, record);
  if (record === undefined) return undefined;
  switch (entry.kind) {
    case 'started':
      return {
        ...record,
        openCall: entry,
        answered: entry.lane === undefined ? undefined : record.answered,
        callCount: entry.call,
        attempt: record.attempt + (entry.station === 'implementer' ? 1 : 0),
      };
    case 'called':
      return {
        ...record,
        openCall: undefined,
        answered: entry.lane === undefined ? receivedBy(record.openCall, entry) : record.answered,
        hold: undefined,
        calls: [...record.calls, entry],
        spent: add(record.spent, chargeCall(entry, record.openCall)),
      };
    case 'interrupted':
      return {
        ...record,
        openCall: undefined,
        spent: add(record.spent, chargeInterrupted(entry, record.openCall)),
      };
    case 'held':
      return hold(record, entry);
    case 'released':
      return { ...record, hold: undefined };
    case 'moved':
      return move(record, entry);
    case 'merging':
      return { ...record, merge: { commit: entry.commit, tip: entry.tip, target: entry.target } };
    case 'undone':
      return { ...record, undone: entry.commit };
    case 'parked':
      return { ...record, parked: entry.at, takenUp: undefined };
    case 'taken_up':
      return { ...record, parked: undefined, takenUp: true };
    case 'paused':
    case 'unpaused':
    case 'ranked':
    case 'notified':
    case 'hooked':
      return record;
    case 'canary':
      return { ...record, answered: undefined };
    case 'unreadable':
      return missing(record, entry);
    case 'remark':
      return entry.refused === true && record.halt !== undefined ? { ...record, refusedAnswer: entry.text } : record;
  }
}

/** The call did not take place: its attempt is given back, and only what its program says it has used is charged. */
function hold(record: LineRecord, entry: Held): LineRecord {
  const { station, reason, until, at, own } = entry;
  const before = record.hold?.own === own ? record.hold : undefined; // to wait for something else begins anew
  return {
    ...record,
    openCall: undefined,
    attempt: record.attempt - (station === 'implementer' && record.openCall !== undefined ? 1 : 0),
    hold: {
      station,
      reason,
      until,
      at,
      since: before?.since ?? at,
      tries: Math.max(1, (before?.tries ?? 0) + (entry.nudged ? 0 : 1)),
      ...(own === undefined ? {} : { own }),
    },
    spent: add(record.spent, chargeHeld(entry)),
  };
}

/** What an entry says that cannot be read is not known: neither what it cost, nor what came of it. */
function missing(record: LineRecord, { seq, why }: Unreadable): LineRecord {
  if (record.status === 'merged' || record.status === 'abandoned') return record;
  const charge = { usd: 0, tokens: 0, minutes: 0, unknownUsd: 1, unknownTokens: 1 };
  return { ...record, unreadable: { seq, why }, spent: add(record.spent, charge) };
}

const add = (spent: Spent, charge: Charge): Spent => ({
  usd: inMillionths(spent.usd + charge.usd),
  tokens: spent.tokens + charge.tokens,
  minutes: spent.minutes + charge.minutes,
  unknownUsd: spent.unknownUsd + charge.unknownUsd,
  unknownTokens: spent.unknownTokens + charge.unknownTokens,
});

function move(record: LineRecord, entry: Moved): LineRecord {
  const event = entry.facts.halt === undefined ? entry.event : 'circuit_breaker_halt';
  const step = { event, from: entry.from, to: entry.to, reason: entry.reason, at: entry.at };
  const next: LineRecord = {
    ...record,
    status: entry.to,
    statusReason: entry.reason,
    updatedAt: entry.at,
    lastFacts: entry.facts,
    answered: answeredAfter(record.answered, entry),
    hold: undefined,
    refusedAnswer: undefined,
    waitsFor: undefined,
    takenUp: undefined,
    halt: entry.to === 'erik_consultation' ? (entry.facts.halt ?? record.halt) : undefined,
    unreadable: isTold(record, entry) ? undefined : record.unreadable,
    halts: record.halts + (entry.facts.halt === undefined ? 0 : 1),
    history: [...record.history, step],
  };
  return takeFacts(next, entry);
}

/** Whether a human hears of the entry that cannot be read by this transition, or nothing rests on it any more. */
const isTold = ({ unreadable }: LineRecord, { to, facts }: Moved): boolean =>
  to === 'merged' || to === 'abandoned' || (facts.unreadable ?? 0) >= (unreadable?.seq ?? 0);

/** Takes in what the station found out. Counters are counted here, from outcomes, and nowhere else. */
function takeFacts(record: LineRecord, entry: Moved): LineRecord {
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
  next = { ...next, panel: panelAfter(next.panel, facts) };
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
