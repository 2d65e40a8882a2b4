import type {
  Called,
  HeldEntry,
  JournalEntry,
  Moved,
  Started,
  UnreadableEntry,
  Admitted,
} from '../record/journal-entry.ts';
import type { Answered, TaskRecord } from '../record/task-record.ts';
import { roundToMicros } from '../../agents/budget/normalise-usage.ts';
import { chargeHeld, chargeCall } from '../../agents/budget/charge.ts';
import { chargeInterrupted } from './cost.ts';
import type { SettledCall } from '../../agents/ledger.ts';
import { addComments, markAsked } from './comment-path.ts';
import { applyFacts } from './apply-facts.ts';
import { awaitsDecision } from './find-outside-wait.ts';
import type { StationId, Status } from '../../base/names.ts';
import { NO_GRANTS } from './grants.ts';
import { NOTHING_IN_A_ROW } from './takeover.ts';

/** Folds the journal of one task into its record; undefined before an admission. */
export function foldJournal(entries: readonly JournalEntry[]): TaskRecord | undefined {
  return entries.reduce<TaskRecord | undefined>((record, entry) => foldEntry(record, entry), undefined);
}

/**
 * The record of the contract on disk: at the last transition, so that running calls do not change the seal. `back` goes
 * that many transitions further back.
 */
export function foldSealed(entries: readonly JournalEntry[], back = 0): TaskRecord | undefined {
  const seals = entries.flatMap(({ kind }, index) => (kind === 'moved' || kind === 'admitted' ? [index] : []));
  const last = seals.at(-1 - back);
  return last === undefined ? undefined : foldJournal(entries.slice(0, last + 1));
}

/** Applies one entry; the only place where a record changes. Pure. */
export function foldEntry(record: TaskRecord | undefined, entry: JournalEntry): TaskRecord | undefined {
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
        comments: markAsked(record.comments, entry.comments ?? 0, record.attempt + 1),
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
        interruptedCalls: record.interruptedCalls + 1,
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
      return { ...record, undone: entry.commit, updatedAt: entry.at };
    case 'parked':
      return { ...record, parked: entry.at, takenUp: undefined };
    case 'taken_up':
      return { ...record, parked: undefined, takenUp: true };
    case 'paused':
    case 'unpaused':
    case 'ranked':
    case 'notified':
    case 'hooked':
    case 'cleaned':
      return record;
    case 'canary':
      return { ...record, answered: undefined };
    case 'unreadable':
      return missing(record, entry);
    case 'said':
      return { ...record, words: [...record.words, { by: entry.by, at: entry.at, text: entry.text }] };
    case 'commented':
      return addComments(record, entry.comments, entry);
    case 'remark':
      return entry.refused === true && (record.halt !== undefined || awaitsDecision(record))
        ? { ...record, refusedAnswer: entry.text }
        : record;
  }
}

/** The call did not take place: its attempt is returned, and only its reported usage is charged. */
function hold(record: TaskRecord, entry: HeldEntry): TaskRecord {
  const { station, reason, until, at, own } = entry;
  const before = record.hold?.own === own ? record.hold : undefined; // another reason restarts the wait
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

/** An unreadable entry leaves its cost and its outcome unknown. */
function missing(record: TaskRecord, { seq, why }: UnreadableEntry): TaskRecord {
  if (record.status === 'merged' || record.status === 'abandoned') return record;
  const charge = { usd: 0, tokens: 0, minutes: 0, unknownUsd: 1, unknownTokens: 1 };
  return { ...record, unreadable: { seq, why }, spent: add(record.spent, charge) };
}

const add = (spent: SettledCall, charge: SettledCall): SettledCall => ({
  usd: roundToMicros(spent.usd + charge.usd),
  tokens: spent.tokens + charge.tokens,
  minutes: spent.minutes + charge.minutes,
  unknownUsd: spent.unknownUsd + charge.unknownUsd,
  unknownTokens: spent.unknownTokens + charge.unknownTokens,
});

function move(record: TaskRecord, entry: Moved): TaskRecord {
  const event = entry.facts.halt === undefined ? entry.event : 'circuit_breaker_halt';
  const step = { event, from: entry.from, to: entry.to, reason: entry.reason, at: entry.at };
  const next: TaskRecord = {
    ...record,
    status: entry.to,
    statusReason: entry.reason,
    updatedAt: entry.at,
    lastFacts: entry.facts,
    answered: answeredAfter(record.answered, entry),
    hold: undefined,
    refusedAnswer: undefined,
    takenUp: undefined,
    halt: entry.to === 'erik_consultation' ? (entry.facts.halt ?? record.halt) : undefined,
    unreadable: isTold(record, entry) ? undefined : record.unreadable,
    halts: record.halts + (entry.facts.halt === undefined ? 0 : 1),
    history: [...record.history, step],
  };
  return applyFacts(next, entry, record.halt);
}

/** Whether this transition reports the unreadable entry to a person, or makes it irrelevant. */
const isTold = ({ unreadable }: TaskRecord, { to, facts }: Moved): boolean =>
  to === 'merged' || to === 'abandoned' || (facts.unreadable ?? 0) >= (unreadable?.seq ?? 0);

/** A call's unprocessed answer; undefined where it failed or was not kept. */
const receivedBy = (started: Started | undefined, { ok, answer }: Called): Answered | undefined =>
  started === undefined || !ok || answer === undefined ? undefined : { started, digest: answer, faults: 0 };

/**
 * What is left of a received answer after a transition. A step that processed it consumes it. An unrelated halt (a
 * single failure of andon, the cord, an edited file) keeps it, and so does the choice to continue: a paid answer is not
 * requested twice, and a verdict is not forgotten.
 */
function answeredAfter(answered: Answered | undefined, { to, facts }: Moved): Answered | undefined {
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

const WORKS_AT: Readonly<Record<StationId, Status>> = {
  implementer: 'pending_implementer',
  'local-reviewer': 'pending_local_review',
  judge: 'review_in_progress',
  'floor-manager': 'review_complete',
};

/**
 * A new record. After an earlier admission of the id, numbers of attempts and calls continue (their refs and files
 * stay), and the usage of an unfinished one still counts.
 */
export function openRecord(entry: Admitted, before: TaskRecord | undefined): TaskRecord {
  const unfinished = before !== undefined && before.status !== 'abandoned' && before.status !== 'merged';
  return {
    taskId: entry.contract.taskId,
    contract: entry.contract,
    document: entry.document,
    contractDigest: entry.digest,
    target: entry.target,
    base: entry.base,
    createdAt: entry.at,
    updatedAt: entry.at,
    status: 'pending_implementer',
    statusReason: 'Awaiting implementation',
    attempt: before?.attempt ?? 0,
    calls: before?.calls ?? [],
    interruptedCalls: before?.interruptedCalls ?? 0,
    openCall: undefined,
    answered: undefined,
    callCount: before?.callCount ?? 0,
    hold: undefined,
    judgedOutside: false,
    strikes: [],
    stalls: 0,
    takeovers: [],
    inARow: NOTHING_IN_A_ROW,
    refusedAnswers: 0,
    regenerated: 0,
    scopeRefusals: 0,
    reviewCycles: 0,
    localRounds: 0,
    quickFixes: { stage: 0, task: 0 },
    contractRuled: false,
    putOff: [],
    doubts: [],
    rebuttals: 0,
    unreadableReports: 0,
    feedback: [],
    change: undefined,
    gates: undefined,
    ...(entry.ungated === undefined ? {} : { ungated: true }),
    weakeningReport: undefined,
    timesWeakened: 0,
    review: undefined,
    report: undefined,
    rounds: [],
    rebuttal: [],
    rejected: [],
    onlyGates: false,
    fresh: false,
    words: unfinished ? before.words : [],
    comments: [],
    grants: NO_GRANTS,
    spent: unfinished ? before.spent : { usd: 0, tokens: 0, minutes: 0, unknownUsd: 0, unknownTokens: 0 },
    sided: undefined,
    lastFacts: {},
    halt: undefined,
    ...(unfinished && before.parked !== undefined ? { parked: before.parked } : {}),
    refusedAnswer: undefined,
    halts: before?.halts ?? 0,
    lastChoice: undefined,
    merge: undefined,
    takenBack: before?.takenBack ?? [],
    undone: undefined,
    history: [],
  };
}
