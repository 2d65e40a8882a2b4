import { join } from 'node:path';
import { profileNamed } from '../../config/agent-profiles.ts';
import { rulesInWords } from '../../inspection/profiles.ts';
import { rulebookFor } from '../../inspection/rulebook/rulebook.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { nextSeat } from '../../line/panel/next-seat.ts';
import type { NextSeat } from '../../line/panel/next-seat.ts';
import type { Viewpoint } from '../../line/panel/brief.ts';
import type { Brief } from '../../line/stations/brief.ts';
import type { Change } from '../../record/change.ts';
import type { Facts } from '../../record/facts.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { PanelTurn } from '../../record/panel-turn.ts';
import { callAgent } from '../calls/call-agent.ts';
import type { Received } from '../calls/received-answer.ts';
import { withoutTranscript } from '../calls/without-transcript.ts';
import type { NoTranscript } from '../calls/without-transcript.ts';
import type { Services } from '../../wiring/services.ts';
import type { StepLog, StepOutcome } from '../../wiring/step-log.ts';

/** The stations that several may hold together. */
export type PanelStation = 'local-reviewer' | 'judge';

/** Whose turn it is in a panel, and about which change. */
export interface Seat extends NextSeat {
  readonly station: PanelStation;
  readonly change: Change;
}

/** Who holds a station together; undefined where one does it alone. */
export const panelAt = (
  { contract: { roles } }: Pick<LineRecord, 'contract'>,
  station: PanelStation,
): readonly string[] | undefined => (station === 'judge' ? roles.judges : roles.reviewers);

/** Who of a panel is asked next about the change that stands; undefined once it can be settled. */
export function nextOf(record: LineRecord, station: PanelStation): Seat | undefined {
  const { change, panel = [] } = record;
  const next = nextSeat(panelAt(record, station) ?? [], panel);
  if (next === undefined) return undefined;
  if (change === undefined) throw new Error('there is no change to review');
  return { ...next, station, change };
}

/** What one of a panel said, for the journal: written down before the next one is asked, so that a crash costs one call. */
export const heard = (panel: PanelTurn, reason: string, more: Facts = {}): StepOutcome => ({
  event: 'reviewer_heard',
  reason,
  facts: { ...more, panel },
});

/** It was asked and has no vote. */
export const noVote = ({ name, round, change }: Seat, why: string, more: Partial<PanelTurn> = {}): StepOutcome =>
  heard(
    { reviewer: name, round, tree: change.tree, ...more, noVote: why.slice(0, 500) },
    `${name} has no vote: ${why}`,
  );

/** One call of a seat, whose folder goes with it; where it brings no answer, what that means for the line. */
export async function callSeat(
  services: Services,
  log: StepLog,
  seat: Seat,
  { brief, folder }: { readonly brief: Brief; readonly folder: string },
  signal: AbortSignal,
): Promise<Outcome<Received & { readonly call: number }, StepOutcome>> {
  const { station, name, left } = seat;
  const transcript = await callAgent(services, log, {
    station,
    brief,
    folder,
    seat: { name, share: left },
    mayBeMissed: mayBeMissed(services, log.record, station),
    signal,
  }).finally(() => services.folders.tidy(placeOf(log.record, seat)));
  if (!transcript.ok) return failure(unheard(services, log.record, seat, transcript.why));
  const call = log.record.answered?.started.call ?? log.record.callCount;
  return success({ ...transcript.value, call });
}

/** Who fails, or is out of reach while others suffice, has no vote; only the budget and a wait for him stop the line. */
export function unheard(
  services: Pick<Services, 'settings'>,
  record: LineRecord,
  seat: Seat,
  why: NoTranscript,
): StepOutcome {
  if (why.by === 'agent') return noVote(seat, `${why.failure.kind}: ${why.failure.detail}`);
  return why.by === 'hold' && mayBeMissed(services, record, seat.station)
    ? noVote(seat, `out of reach: ${why.reason}`)
    : withoutTranscript(seat.station, why);
}

/** Whether the panel reaches its quorum without one more reviewer. */
export function mayBeMissed(
  { settings }: Pick<Services, 'settings'>,
  record: LineRecord,
  station: PanelStation,
): boolean {
  const seats = panelAt(record, station)?.length ?? 1;
  const missed = (record.panel ?? []).filter(({ round, noVote: why }) => round === 1 && why !== undefined).length;
  return seats - missed - 1 >= (settings.review.quorum ?? seats);
}

/** From which point of view it looks, and by which rules; a model without a profile has neither. */
export async function viewOf(
  services: Pick<Services, 'journal' | 'profiles' | 'project'>,
  { name }: Seat,
): Promise<Viewpoint> {
  const { found } = profileNamed(services.profiles, name);
  if (found === undefined) return { roles: [], rules: [] };
  return { roles: found.roles, rules: rulesInWords(found, await rulebookFor(services.journal, services.project)) };
}

/** What the folder of a seat is called: nobody else's. */
export const placeOf = ({ taskId }: LineRecord, { name }: Seat): string =>
  `${taskId}.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;

/** A folder that is this reviewer's alone; with the tree for a program whose tools only read. */
export async function folderFor(
  { folders, repository }: Pick<Services, 'folders' | 'repository'>,
  place: string,
  change: Change,
  diff: string | undefined,
): Promise<string> {
  if (diff === undefined) return folders.empty(place);
  const folder = folders.desk(place, new Map([['diff.patch', diff]]), []);
  await repository.checkOut(change.commit, join(folder, 'tree'));
  return folder;
}
