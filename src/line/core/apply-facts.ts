import type { Facts, AgentFeedback } from '../record/facts.ts';
import { unallowed, type WeakeningReport } from '../../rules/model/weakening.ts';
import type { Moved } from '../record/journal-entry.ts';
import type { Halt } from '../record/trip.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { classifyEvent } from '../record/step-event.ts';
import { listDoubts } from '../../rules/model/ruling.ts';
import { dropAnswered } from './comment-path.ts';
import { NO_REVIEWS, rememberDiscarded, takeChoice } from './grants.ts';
import { countInARow, takeOver } from './takeover.ts';

/** Applies a station's facts. This is the only place that counts outcomes. `halt` is the one that the entry answers. */
export function applyFacts(record: TaskRecord, entry: Moved, halt: Halt | undefined): TaskRecord {
  const { facts } = entry;
  let next = record;
  if (facts.strike) {
    const stalls = next.stalls + (facts.strike.kind === 'stall' ? 1 : 0);
    const refusedAnswers = next.refusedAnswers + (facts.strike.kind === 'refused' ? 1 : 0);
    const strikes =
      facts.strike.kind === 'refused'
        ? next.strikes.map((strike) => ({ ...strike, isPast: true as const }))
        : [...next.strikes, facts.strike];
    const partial = facts.strike.kind === 'refused' ? facts.partial : next.partial;
    next = { ...next, strikes, stalls, refusedAnswers, partial };
  }
  if (facts.scopeRefused || facts.protectedRefused) next = { ...next, scopeRefusals: next.scopeRefusals + 1 };
  if (facts.feedback) next = { ...next, feedback: replaceFeedback(next.feedback, facts.feedback) };
  if (facts.change) {
    next = {
      ...next,
      ...NO_REVIEWS,
      change: facts.change,
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
  next = { ...next, putOff: putOffAfter(next, facts), doubts: doubtsAfter(next, facts) };
  if (facts.weakeningReport) next = takeWeakening(next, facts.weakeningReport);
  if (facts.gates) next = { ...next, gates: facts.gates, onlyGates: false };
  if (facts.gates && entry.event === 'code_written') next = { ...next, comments: dropAnswered(next) };
  if (facts.todos) next = { ...next, todos: facts.todos };
  next = { ...next, ...updatePanel(next, facts) };
  if (facts.panel) next = { ...next, refusedAnswers: 0 }; // the count restarts with the next one
  if (facts.review) next = { ...next, review: facts.review, strikes: [] };
  if (facts.report)
    next = { ...next, report: facts.report, rounds: [...next.rounds, facts.report], strikes: [], sided: undefined };
  if (facts.judgeUnreadable !== undefined) next = { ...next, unreadableReports: next.unreadableReports + 1 };
  if (facts.rebuttal) next = { ...next, rebuttal: facts.rebuttal, rebuttals: next.rebuttals + 1 };
  if (facts.targetMoved) next = { ...next, base: facts.targetMoved.base, onlyGates: facts.targetMoved.toFix !== true };
  if (facts.consents) next = { ...next, grants: { ...next.grants, gates: [...next.grants.gates, ...facts.consents] } };
  if (facts.merge) next = { ...next, merge: facts.merge };
  if (facts.choice) next = takeChoice(next, entry, facts.choice, halt);
  next = countRounds({ ...next, inARow: countInARow(next, entry) }, entry);
  return facts.takeover === undefined ? next : takeOver(next, facts.takeover, entry.at);
}

/** A change that weakens its gates goes back to where they are whole; what a human committed, he has allowed. */
function takeWeakening(record: TaskRecord, report: WeakeningReport): TaskRecord {
  const own = report.weakenings.filter(({ consent }) => consent === 'your commits').map(({ mark }) => mark);
  const weakened = [...new Set([...record.grants.weakened, ...own])];
  const next = { ...record, weakeningReport: report, grants: { ...record.grants, weakened } };
  return unallowed(report).length === 0
    ? next
    : { ...next, timesWeakened: record.timesWeakened + 1, onlyGates: false, fresh: true };
}

/** A review's fixes replace everything; red gates and refused answers only add to the open demands of a review. */
function replaceFeedback(before: readonly AgentFeedback[], now: readonly AgentFeedback[]): readonly AgentFeedback[] {
  if (now.some(({ from }) => from === 'reviewer' || from === 'judge')) return now;
  return [...before.filter(({ from }) => !now.some((one) => one.from === from) && from !== 'answer'), ...now];
}

/** A change that goes back is one review cycle, and is remembered as rejected. */
function countRounds(record: TaskRecord, entry: Moved): TaskRecord {
  if (entry.event === 'quick_fix') {
    const { stage, task } = record.quickFixes;
    return { ...record, quickFixes: { stage: stage + 1, task: task + 1 } };
  }
  if (entry.event === 'sent_back' && record.change !== undefined)
    return {
      ...rememberDiscarded(record, record.change, 'human', entry.reason, true),
      // What was sent back has passed its gates, so only reviewers may still ask for something.
      feedback: record.feedback.filter(({ from }) => from === 'reviewer' || from === 'judge' || from === 'human'),
    };
  const { by, rejects } = classifyEvent(entry.event);
  if (rejects !== true || record.change === undefined)
    return entry.event === 'local_pass' ? { ...record, localRounds: 0 } : record;
  return {
    ...rememberDiscarded(record, record.change, by, entry.facts.feedback?.[0]?.text ?? entry.reason),
    reviewCycles: record.reviewCycles + 1,
    quickFixes: { ...record.quickFixes, stage: 0 },
    localRounds: by === 'reviewer' ? record.localRounds + 1 : by === 'judge' ? 0 : record.localRounds,
  };
}

/**
 * Answers of this turn that a rule sent back; an accepted answer, a heard reviewer or a person's choice restarts the
 * count.
 */
function regeneratedAfter({ regenerated }: TaskRecord, facts: Facts): number {
  const { change, review, report, panel, choice, takeover, rulings = [] } = facts;
  if ([change, review, report, panel, choice, takeover].some((one) => one !== undefined)) return 0;
  return regenerated + (rulings.some(({ found }) => found.some(({ does }) => does === 'regenerate')) ? 1 : 0);
}

/** Deferred violations, without those of a discarded change and those whose phase has come. */
function putOffAfter({ putOff }: TaskRecord, { change, rulings = [], review, gates }: Facts): TaskRecord['putOff'] {
  const kept = change === undefined ? putOff : putOff.filter(({ moment }) => moment === 'contract');
  const added = rulings.flatMap(({ moment, found }) =>
    found.filter(({ until }) => until !== undefined).map((one) => ({ moment, one })),
  );
  const came = new Set([...(review === undefined ? [] : ['REVIEW']), ...(gates === undefined ? [] : ['TEST'])]);
  return kept.length + added.length === 0
    ? putOff
    : [...kept, ...added].filter(({ one: { until = '' } }) => !came.has(until));
}

/** The rules that are not sure: a ruling replaces the one before it at the same moment. */
const doubtsAfter = ({ doubts }: TaskRecord, { rulings = [] }: Facts): TaskRecord['doubts'] =>
  rulings.length === 0
    ? doubts
    : [
        ...doubts.filter(({ moment }) => !rulings.some((one) => one.moment === moment)),
        ...rulings.flatMap((one) => {
          const found = listDoubts(one);
          return found.length === 0 ? [] : [{ moment: one.moment, found: [...found] }];
        }),
      ];

/**
 * Further effects of violations: iterations that they cost, once per rule, and a discarded attempt. After `MAX` none
 * are left.
 */
function afterRules(
  { reviewCycles, fresh, contract, grants }: TaskRecord,
  { rulings = [], choice }: Facts,
): Pick<TaskRecord, 'reviewCycles' | 'fresh'> {
  const found =
    choice === undefined ? rulings.flatMap((one) => one.found).filter(({ does }) => ACTS.includes(does)) : [];
  const penalties = new Map<string, number>();
  const none = Math.max(0, contract.limits.maxReviewCycles + grants.reviewCycles + 1 - reviewCycles);
  for (const { rule, penalty = 0 } of found)
    penalties.set(rule, Math.max(penalties.get(rule) ?? 0, penalty === 'MAX' ? none : penalty));
  return {
    reviewCycles: [...penalties.values()].reduce((sum, one) => sum + one, reviewCycles),
    fresh: fresh || found.some(({ does, rollback }) => does === 'quick_fix' && rollback === true),
  };
}

/** A deferred violation costs when its phase has come. */
const ACTS: readonly string[] = ['stop', 'quick_fix', 'log', 'hook'];

/**
 * The panel's turns so far, and the reviewers to ask again; cleared once it is settled. A repeated first round discards
 * the second, which refers to its findings by number.
 */
export function updatePanel(
  { panel: before, askedAnew }: Pick<TaskRecord, 'panel' | 'askedAnew'>,
  { panel, panelAgain, review, report }: Facts,
): Pick<TaskRecord, 'panel' | 'askedAnew'> {
  if (review !== undefined || report !== undefined) return { panel: undefined, askedAnew: undefined };
  if (panelAgain !== undefined) {
    const isAskedAnew = (name: string): boolean => panelAgain.some(({ reviewer }) => reviewer === name);
    const kept = before?.filter(({ reviewer, round }) => round === 1 && !isAskedAnew(reviewer));
    return { panel: kept, askedAnew: panelAgain };
  }
  return { panel: panel === undefined ? before : [...(before ?? []), panel], askedAnew };
}
