import { join } from 'node:path';
import { findProfile } from '../../project/config/agent-profiles.ts';
import { formatProfileRules } from '../../rules/files/profiles.ts';
import { loadRulebook } from '../../rules/files/rulebook/rulebook.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { findNextSeat, type NextSeat, settle, type PanelResult } from '../panel/settle.ts';
import type { Viewpoint } from '../panel/brief.ts';
import type { Brief } from '../../agents/agent.ts';
import type { Change } from '../record/change.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { PanelTurn } from '../record/review.ts';
import { callAgent, createCallFailureOutcome, type CallFailure } from '../calls/call-agent.ts';
import type { Received } from '../calls/received-answer.ts';
import type { CallServices, Needs } from '../services/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';

type PanelStation = 'local-reviewer' | 'judge';

export interface PanelTurnSlot extends NextSeat {
  readonly station: PanelStation;
  readonly change: Change;
}

/** The members of a panel; undefined where the station has one worker. */
export const findPanel = (
  { contract: { roles } }: Pick<TaskRecord, 'contract'>,
  station: PanelStation,
): readonly string[] | undefined => (station === 'judge' ? roles.judges : roles.reviewers);

/** The next panel member to ask about the current change; undefined once the panel can be settled. */
export function findNextMember(record: TaskRecord, station: PanelStation): PanelTurnSlot | undefined {
  const { change, panel = [] } = record;
  const next = findNextSeat(findPanel(record, station) ?? [], panel);
  if (next === undefined) return undefined;
  if (change === undefined) throw new Error('there is no change to review');
  return { ...next, station, change };
}

/** What one of a panel said, for the journal: written down before the next one is asked, so that a crash costs one call. */
export const recordPanelTurn = (panel: PanelTurn, reason: string, more: Facts = {}): StepOutcome => ({
  event: 'reviewer_heard',
  reason,
  facts: { ...more, panel },
});

export const abstain = (
  { name, round, change }: PanelTurnSlot,
  why: string,
  more: Partial<PanelTurn> = {},
): StepOutcome =>
  recordPanelTurn(
    { reviewer: name, round, tree: change.tree, ...more, noVote: why.slice(0, 500) },
    `${name} has no vote: ${why}`,
  );

/** One call of a seat, whose folder goes with it; where it brings no answer, what that means for the line. */
export async function callSeat(
  services: CallServices,
  log: StepJournal,
  seat: PanelTurnSlot,
  { brief, folder }: { readonly brief: Brief; readonly folder: string },
  signal: AbortSignal,
): Promise<Outcome<Received & { readonly call: number }, StepOutcome>> {
  const { station, name, left } = seat;
  const transcript = await callAgent(services, log, {
    station,
    brief,
    folder,
    seat: { name, share: left },
    mayBeMissed: isOptional(services, log.record, station),
    signal,
  }).finally(() => services.folders.tidy(seatFolder(log.record, seat)));
  if (!transcript.ok) return failure(toAbstention(services, log.record, seat, transcript.why));
  const call = log.record.answered?.started.call ?? log.record.callCount;
  return success({ ...transcript.value, call });
}

/** A failed member has no vote, and neither has an unreachable one where the others suffice. Budget and waits stop the line. */
export function toAbstention(
  services: Needs<'settings'>,
  record: TaskRecord,
  seat: PanelTurnSlot,
  why: CallFailure,
): StepOutcome {
  if (why.by === 'agent') return abstain(seat, `${why.failure.kind}: ${why.failure.detail}`);
  return why.by === 'hold' && isOptional(services, record, seat.station)
    ? abstain(seat, `out of reach: ${why.reason}`)
    : createCallFailureOutcome(seat.station, why);
}

/** Whether the panel reaches its quorum without one more reviewer. */
function isOptional({ settings }: Needs<'settings'>, record: TaskRecord, station: PanelStation): boolean {
  const seats = findPanel(record, station)?.length ?? 1;
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
    rules: formatProfileRules(found, await loadRulebook(services.journal, services.project)),
  };
}

export const seatFolder = ({ taskId }: TaskRecord, { name }: PanelTurnSlot): string =>
  `${taskId}.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;

/** A folder that is this reviewer's alone; with the tree for a program whose tools only read. */
export async function prepareMemberFolder(
  { folders, repository }: Needs<'folders' | 'repository'>,
  place: string,
  change: Change,
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
): { readonly settled: PanelResult } | { readonly undecided: StepOutcome } {
  const { panel = [] } = record;
  const members = (findPanel(record, station) ?? []).map((name) => ({
    name,
    roles: findProfile(profiles, name).found?.roles ?? [],
  }));
  const settled = settle(members, panel, settings.review);
  const { status, because } = settled.consensus;
  if (status !== 'UNDECIDED' || panel.some(({ report }) => report?.verdict === 'CRITICAL_HALT')) return { settled };
  const silent = [...settled.silent].map(([name, why]) => `${name}: ${why}`).join('; ');
  const reason = `the panel of ${station === 'judge' ? 'judges' : 'reviewers'} decides nothing: ${because}; ${silent}`;
  const panelAgain = [...settled.silent].map(([reviewer, why]) => ({ reviewer, why }));
  return {
    undecided:
      station === 'judge'
        ? { event: 'report_unreadable', reason, facts: { panelAgain, judgeUnreadable: reason } }
        : {
            event: 'review_unreadable',
            reason,
            facts: { panelAgain, strike: { station, kind: 'unreadable', why: reason } },
          },
  };
}
