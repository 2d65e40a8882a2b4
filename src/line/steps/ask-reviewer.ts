import { formatCount } from '../../base/format-count.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { renderGateEvidence } from '../reports/reports.ts';
import {
  createQuestion,
  mentionTree,
  toTurn,
  type PanelBrief,
  type TurnAnswer,
  type Viewpoint,
} from '../panel/create-question.ts';
import { type LocalOpinion, findRound, settle, type PanelResult } from '../panel/settle.ts';
import { explainRepeat } from '../stations/brief-judge.ts';
import { describeContract } from '../stations/describe-contract.ts';
import { fenceText, fenceProjectRules } from '../../agents/fence-text.ts';
import { formatFinding, type Finding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { wordsBeside } from '../../rules/guards/json-review.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { Messages } from '../stations/message-checks.ts';
import { listInstructions } from './apply-rules.ts';
import { loadQuotes } from './review-workspace.ts';
import { takeMessage, type WhatLanesSay } from './take-message.ts';
import { join } from 'node:path';
import { findProfile } from '../../project/config/agent-profiles.ts';
import { formatProfileRules } from '../../rules/files/profiles.ts';
import { loadRulebook } from '../../rules/files/rulebook.ts';
import type { Brief } from '../../agents/agent.ts';
import type { Change } from '../record/change.ts';
import type { Facts } from '../record/facts.ts';
import type { PanelTurn } from '../record/review.ts';
import { callAgent, createCallFailureOutcome, type CallFailure, type CallSeat } from '../calls/call-agent.ts';
import type { Received } from '../calls/received-answer.ts';

type ReviewServices = CallServices & RuleServices & Needs<'nonce' | 'repository'>;

/** A turn that was answered, and what the checks and rules say of its words. */
interface HeardTurn {
  readonly answer: TurnAnswer;
  readonly evidence: Messages['review']['evidence'] | undefined;
  readonly ruled: Awaited<ReturnType<typeof takeMessage>>;
  readonly call: number;
}

const MOMENTS = { 'local-reviewer': 'review', judge: 'report' } as const;

/** Asks a member for its review, or in the second round what it makes of what the others found. */
export async function askReviewer(
  services: ReviewServices,
  log: StepJournal,
  slot: PanelTurnSlot,
  signal: AbortSignal,
): Promise<Outcome<HeardTurn, StepOutcome>> {
  const { shown, folder } = await prepareTurn(services, log.record, slot);
  const view = slot.seat === undefined ? undefined : await describeMember(services, slot);
  const { brief, read } = createQuestion(slot, log.record.panel ?? [], shown, view);
  const received = await callMember(services, log, slot, { brief, folder }, signal);
  if (!received.ok) return received;
  const { call, text } = received.value;
  const isOfSeveral = slot.seat !== undefined;
  const answer = await read(received.value, () => loadQuotes(services, log.record, received.value, 'all gates'));
  if (!answer.ok) return failure(toUnreadable(slot, answer.why, 'unreadable', { call }));
  if ('positions' in answer.value) {
    const words = answer.value.positions.map(({ why }) => why).join('\n');
    const ruled = await takeMessage(services, log, MOMENTS[slot.station], { words }, signal, isOfSeveral);
    return success({ answer: answer.value, evidence: undefined, ruled, call });
  }
  // What one of several cites was looked up already.
  const message = await toReviewMessage(services, slot, answer.value, text, isOfSeveral ? undefined : brief.prompt);
  const ruled = await takeMessage(services, log, 'review', message, signal, isOfSeveral);
  return success({ answer: answer.value, evidence: message.evidence, ruled, call });
}

/** The same of one of several, with the outcome of its turn. */
export async function askOneOfSeveral(
  services: ReviewServices,
  log: StepJournal,
  slot: PanelTurnSlot,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const heard = await askReviewer(services, log, slot, signal);
  if (!heard.ok) return heard.why;
  const { answer, ruled, call } = heard.value;
  const summary =
    'positions' in answer
      ? ` on what the others found: ${answer.positions.map(({ finding, says }) => `${says} ${finding}`).join(', ') || 'nothing'}`
      : describeFindings(answer.verdict, answer.findings, answer.dropped);
  return takeTurn(slot, ruled, { ...toTurn(answer), call }, summary);
}

/** A review as a message, with the evidence of its checks. */
async function toReviewMessage(
  services: Needs<'repository' | 'settings'>,
  { change: { commit } }: PanelTurnSlot,
  message: LocalOpinion,
  text: string,
  shown: string | undefined,
) {
  const beside = wordsBeside(text);
  return {
    message,
    evidence: {
      paths: (await services.repository.files(commit)).map(({ path }) => path),
      ...(shown === undefined ? {} : { shown }),
      beside,
      lines: await countCitedLines(services.repository, commit, beside),
      settings: services.settings.messages,
    },
    words: message.findings.map(formatFinding).join('\n'),
  };
}

/** `: FAIL, 2 findings, 1 left out; [high] a.ts:1 …`. */
export function describeFindings(word: string, found: readonly Finding[], dropped: readonly unknown[]): string {
  const [first] = found;
  const left = dropped.length === 0 ? '' : `, ${dropped.length} left out`;
  const shown = first === undefined ? '' : `; ${formatFinding(first)}`;
  return `: ${word}, ${formatCount(found.length, 'finding')}${left}${shown}`;
}

/** The material of a turn, and its folder; a program with read tools finds the whole tree there. */
async function prepareTurn(
  services: ReviewServices,
  record: TaskRecord,
  slot: PanelTurnSlot,
): Promise<{ readonly shown: PanelBrief; readonly folder: string }> {
  const { station, change, seat } = slot;
  const diff = await services.repository.patch(record.base, change.commit);
  const hasTree =
    seat !== undefined && resolveWorker(services, record, station, seat.name).agent.worksAt.includes('judge');
  const nonce = services.nonce();
  const why = explainAskedAgain(record, slot);
  const shown = {
    asked: mentionTree(describeContract(record, true), hasTree),
    diff,
    gates: renderGateEvidence(record.gates, record.weakeningReport),
    instructions: [
      fenceProjectRules(await listInstructions(services, record, MOMENTS[station]), nonce),
      ...(why === ''
        ? []
        : [
            'Your last answer did not count. Answer again and correct this:',
            fenceText('why your last answer did not count', why, nonce),
          ]),
    ],
    nonce,
  };
  return { shown, folder: await prepareMemberFolder(services, slot, hasTree ? diff : undefined) };
}

/** Why the last answer of a member about this change does not count, in andon's words; the newest reason first. */
function explainAskedAgain(record: TaskRecord, { name, station }: PanelTurnSlot): string {
  const own = record.askedAnew?.find(({ reviewer }) => reviewer === name)?.why;
  if (station === 'judge') return own ?? explainRepeat(record) ?? '';
  const { strike } = record.lastFacts;
  const refused = strike?.station === station && strike.kind === 'refused' ? strike.why : undefined;
  return [refused, own].filter((why) => why !== undefined).join('\n');
}

type PanelStation = 'local-reviewer' | 'judge';

/** The turn of a member of a panel, which may be a panel of one. */
export interface PanelTurnSlot {
  readonly name: string;
  readonly round: 1 | 2;
  readonly station: PanelStation;
  readonly change: Change;
  /** One of several; undefined for the only one, which settles the review by itself. */
  readonly seat: CallSeat | undefined;
  /** The folder in which it is asked. */
  readonly place: string;
}

/** The members of the panel at a station; several vote, and one decides. */
function listMembers({ contract: { roles } }: TaskRecord, station: PanelStation): readonly string[] {
  return station === 'judge' ? (roles.judges ?? [roles.judge]) : (roles.reviewers ?? [roles.localReviewer]);
}

/** The next member to ask about the current change; undefined once the panel can be settled. */
export function findNextMember(record: TaskRecord, station: PanelStation): PanelTurnSlot | undefined {
  const { change, contract, panel = [], taskId } = record;
  if (change === undefined) throw new Error('there is no change to review');
  const next = findRound(listMembers(record, station), panel);
  const [name] = next?.open ?? [];
  if (next === undefined || name === undefined) return undefined;
  const { round, open } = next;
  const isOnly = (station === 'judge' ? contract.roles.judges : contract.roles.reviewers) === undefined;
  return {
    name,
    round,
    station,
    change,
    seat: isOnly ? undefined : { name, share: open.length },
    place: isOnly ? taskId : `${taskId}.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`,
  };
}

/** Records what one of several said before the next one is asked, so that a crash costs one call. */
const recordTurn = (
  { name, round, change }: PanelTurnSlot,
  turn: Partial<PanelTurn>,
  reason: string,
  more: Facts = {},
): StepOutcome => ({
  event: 'reviewer_heard',
  reason,
  facts: { ...more, panel: { reviewer: name, round, tree: change.tree, ...turn } },
});

const abstain = (slot: PanelTurnSlot, why: string, more: Partial<PanelTurn> = {}): StepOutcome =>
  recordTurn(slot, { ...more, noVote: why.slice(0, 500) }, `${slot.name} has no vote: ${why}`);

/** An answer that cannot be read or proves nothing (`refused`): one of several has no vote, the only one is asked again. */
export function toUnreadable(
  slot: PanelTurnSlot,
  why: string,
  kind: 'unreadable' | 'refused',
  more: Partial<PanelTurn> = {},
): StepOutcome {
  if (slot.seat === undefined) return createUnreadable(slot.station, why, {}, kind);
  return abstain(slot, kind === 'refused' ? why : `unreadable: ${why}`, more);
}

/** The outcome of an answer that does not count: its author gets `why` and is asked again, as often as the breakers allow. */
export const createUnreadable = (
  station: PanelStation,
  why: string,
  facts: Facts = {},
  kind: 'unreadable' | 'refused' = 'unreadable',
  reason = why,
): StepOutcome =>
  station === 'judge'
    ? {
        event: kind === 'refused' ? 'report_unproven' : 'report_unreadable',
        reason,
        facts: { ...facts, judgeUnreadable: reason },
      }
    : { event: 'review_unreadable', reason, facts: { ...facts, strike: { station, kind, why } } };

/** The turn of one of several after the rules: recorded, sent back, without a vote, or a reason to stop the line. */
export function takeTurn(
  slot: PanelTurnSlot,
  { objection, unfit, isCorrected, rulings: found }: WhatLanesSay,
  turn: Partial<PanelTurn>,
  summary: string,
): StepOutcome {
  if (objection !== undefined) return objection;
  const rulings = found.length === 0 ? {} : { rulings: [...found] };
  if (unfit === undefined) return recordTurn(slot, turn, `${slot.name}${summary}`, rulings);
  if (isCorrected === true) return createUnreadable(slot.station, unfit, rulings, 'refused', `${slot.name}: ${unfit}`);
  const { dropped, call } = turn;
  const none = abstain(slot, `its answer does not count: ${unfit}`, { dropped, call });
  return { ...none, facts: { ...rulings, ...none.facts } };
}

/** One call of a member; the outcome of the step where it brings no answer. */
export async function callMember(
  services: CallServices,
  log: StepJournal,
  slot: PanelTurnSlot,
  { brief, folder }: { readonly brief: Brief; readonly folder: string },
  signal: AbortSignal,
): Promise<Outcome<Received & { readonly call: number }, StepOutcome>> {
  const { station, seat } = slot;
  const transcript = await callAgent(services, log, {
    station,
    brief,
    folder,
    ...(seat === undefined ? {} : { seat, mayBeMissed: isOptional(services, log.record, station) }),
    signal,
  }).finally(() => tidyPlace(services, slot));
  if (!transcript.ok) return failure(toMissedTurn(services, log.record, slot, transcript.why));
  const call = log.record.answered?.started.call ?? log.record.callCount;
  return success({ ...transcript.value, call });
}

/** The folder of one of several goes with its turn; the other one is the task's. */
export const tidyPlace = ({ folders }: Needs<'folders'>, { seat, place }: PanelTurnSlot): void =>
  seat === undefined ? undefined : folders.tidy(place);

/**
 * The outcome of a failed call. One of several has no vote, also where it is out of reach and the others suffice. The only
 * judge gave no report. Budget and waits stop the line.
 */
export function toMissedTurn(
  services: Needs<'settings'>,
  record: TaskRecord,
  slot: PanelTurnSlot,
  why: CallFailure,
): StepOutcome {
  const { seat, station } = slot;
  if (seat !== undefined && why.by === 'agent') return abstain(slot, `${why.failure.kind}: ${why.failure.detail}`);
  if (seat !== undefined && why.by === 'hold' && isOptional(services, record, station))
    return abstain(slot, `out of reach: ${why.reason}`);
  const outcome = createCallFailureOutcome(station, why);
  const { strike } = outcome.facts;
  if (station !== 'judge' || strike === undefined || strike.kind === 'stall') return outcome;
  return { ...createUnreadable(station, `${strike.kind}: ${strike.why}`), reason: outcome.reason };
}

/** Whether the panel reaches its quorum without one more reviewer. */
function isOptional({ settings }: Needs<'settings'>, record: TaskRecord, station: PanelStation): boolean {
  const seats = listMembers(record, station).length;
  const missed = (record.panel ?? []).filter(({ round, noVote: why }) => round === 1 && why !== undefined).length;
  return seats - missed - 1 >= (settings.review.quorum ?? seats);
}

/** From which point of view it looks, and by which rules; a model without a profile has neither. */
export async function describeMember(
  services: Needs<'journal' | 'profiles' | 'project'>,
  { name }: PanelTurnSlot,
): Promise<Viewpoint> {
  const { found } = findProfile(services.profiles, name);
  if (found === undefined) return { roles: [], rules: [] };
  return {
    roles: found.roles,
    rules: formatProfileRules(found, await loadRulebook(services.project)),
  };
}

/** The folder of a member; with the tree for one of several whose program has read tools (`diff`). */
async function prepareMemberFolder(
  { folders, repository }: Needs<'folders' | 'repository'>,
  { place, change }: PanelTurnSlot,
  diff: string | undefined,
): Promise<string> {
  if (diff === undefined) return folders.empty(place);
  const folder = folders.desk(place, new Map([['diff.patch', diff]]), []);
  await repository.checkOut(change.commit, join(folder, 'tree'));
  return folder;
}

/**
 * The outcome of a panel after all answers. Without a quorum, members without a vote are asked again, as after a strike;
 * but a judge's call for a human always counts.
 */
export function settlePanel(
  { profiles, settings }: Needs<'profiles' | 'settings'>,
  record: TaskRecord,
  station: PanelStation,
): Outcome<PanelResult, StepOutcome> {
  const { panel = [] } = record;
  const members = listMembers(record, station).map((name) => ({
    name,
    roles: findProfile(profiles, name).found?.roles ?? [],
  }));
  const settled = settle(members, panel, settings.review);
  const { status, because } = settled.consensus;
  if (status !== 'UNDECIDED' || panel.some(({ report }) => report?.verdict === 'CRITICAL_HALT'))
    return success(settled);
  const panelAgain = [...settled.silent].map(([reviewer, why]) => ({ reviewer, why }));
  const silent = panelAgain.map(({ reviewer, why }) => `${reviewer}: ${why}`).join('; ');
  const of = station === 'judge' ? 'judges' : 'reviewers';
  return failure(
    createUnreadable(station, `the panel of ${of} decides nothing: ${because}; ${silent}`, { panelAgain }),
  );
}
