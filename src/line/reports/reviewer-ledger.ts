import { formatCount } from '../../base/format-count.ts';
import { type StationId, STATIONS } from '../../base/names.ts';
import { isBlockingFinding } from '../../rules/model/finding.ts';
import type { JournalEntry, Moved, Started } from '../record/journal-entry.ts';
import { computeCost, sum, type Cost } from '../core/cost.ts';
import { listNonGreen } from '../record/change.ts';

/** The journal's counts for one reviewer or judge with one model; counts of findings unless noted. */
export interface ReviewerRow {
  readonly station: Extract<StationId, 'local-reviewer' | 'judge'>;
  /** The name on the panel; without a panel the id of the station. */
  readonly reviewer: string;
  readonly agent: string;
  readonly model: string;
  readonly calls: number;
  /** Reviews without a vote: failed, limited, unreadable, or without citation. */
  readonly noVotes: number;
  readonly findings: number;
  /** Upheld blockers: a person sided with them, another change followed, or a judge blocked on that tree. */
  readonly confirmed: number;
  /** A person or a judge passed the tree, a citation or the floor manager refuted it, or it was withdrawn. */
  readonly refuted: number;
  readonly style: number;
  /** Dropped for a missing citation; not among the findings. */
  readonly dropped: number;
  /** At places that no other panel reviewer cited; without a panel, all. */
  readonly unique: number;
  readonly cost: Cost;
}

type Row = { -readonly [Key in keyof ReviewerRow]: ReviewerRow[Key] };

/** Sums the journals of tasks by reviewer and model. No decision depends on these figures. */
export function reviewerLedger(tasks: readonly (readonly JournalEntry[])[]): readonly ReviewerRow[] {
  const rows = new Map<string, Row>();
  for (const entries of tasks) addTask(rows, entries);
  return [...rows.values()].toSorted(
    (one, other) =>
      other.station.localeCompare(one.station) ||
      one.reviewer.localeCompare(other.reviewer) ||
      one.model.localeCompare(other.model),
  );
}

/** The floor manager has no findings; older journals list it as a reviewer of this name. */
const FLOOR_MANAGER = 'floor-manager';

interface Held {
  readonly row: Row;
  readonly tree: string;
  readonly blocking: number;
  /** The floor manager answered with facts that contradict them. */
  isRebutted?: boolean;
  /** A person's ruling at a halt about this tree. */
  ruling?: 'PASS' | 'FAIL';
}

function addTask(rows: Map<string, Row>, entries: readonly JournalEntry[]): void {
  const moves = entries.filter((entry) => entry.kind === 'moved');
  for (const held of collectReviews(rows, entries)) settleBlockers(held, moves);
}

/** Counts the calls of a task's reviewers, and returns their reviews with what became of each. */
function collectReviews(rows: Map<string, Row>, entries: readonly JournalEntry[]): readonly Held[] {
  const last = new Map<string, Row>();
  const held: Held[] = [];
  let open: { readonly started: Started; readonly row: Row } | undefined;
  for (const entry of entries) {
    if (entry.kind === 'started') {
      const row = reviewRowOf(rows, entry);
      open = row && { started: entry, row };
      if (row !== undefined) last.set(`${row.station} ${row.reviewer}`, row);
    } else if (entry.kind === 'called' || entry.kind === 'interrupted' || entry.kind === 'held') {
      if (open?.started.call !== entry.call) continue;
      open.row.cost = sum([open.row.cost, computeCost([open.started, entry]).total]);
      if (entry.kind === 'called') open.row.calls += 1;
    } else if (entry.kind === 'moved') {
      held.push(...reviewsIn(entry, last));
      noteRuling(held, entry);
    }
  }
  return held;
}

/** The row of a call that is a review; questions of the floor manager, of lanes and canaries are none. */
function reviewRowOf(rows: Map<string, Row>, entry: Started): Row | undefined {
  const { station, reviewer, lane, canary } = entry;
  if (station !== 'local-reviewer' && station !== 'judge') return undefined;
  if (reviewer === FLOOR_MANAGER || lane !== undefined || canary !== undefined) return undefined;
  return rowOf(rows, entry, station);
}

/** Notes what the floor manager or a person said of the reviews so far. */
function noteRuling(held: readonly Held[], { event, facts }: Moved): void {
  const judged = event === 'fail_disagree' ? held.findLast(({ row }) => row.station === 'judge') : undefined;
  if (judged !== undefined) judged.isRebutted = true;
  const ruling = facts.choice?.effect.verdict;
  const tree = held.at(-1)?.tree;
  if (ruling !== undefined) for (const one of held) if (one.tree === tree) one.ruling = ruling;
}

/** Counts the blockers of a review as confirmed or refuted, where the task shows it. */
function settleBlockers({ row, tree, blocking, isRebutted, ruling }: Held, moves: readonly Moved[]): void {
  const reports = moves.flatMap(({ facts: { report } }) => (report?.tree === tree ? [report] : []));
  const isPassed = reports.some(({ verdict }) => verdict === 'PASS');
  const isBlocked = row.station === 'local-reviewer' && reports.some((report) => report.blocking.length > 0);
  const at = moves.findLastIndex(({ facts: { change } }) => change?.tree === tree);
  const isAnswered = at !== -1 && moves.slice(at + 1).some(({ facts: { change } }) => (change?.tree ?? tree) !== tree);
  if (ruling === 'FAIL') row.confirmed += blocking;
  else if (isPassed || isRebutted === true || ruling === 'PASS') row.refuted += blocking;
  else if (isBlocked || isAnswered) row.confirmed += blocking;
}

function reviewsIn({ facts: { review, report } }: Moved, last: ReadonlyMap<string, Row>): readonly Held[] {
  const held: Held[] = [];
  for (const [station, answer] of [['local-reviewer', review] as const, ['judge', report] as const])
    for (const vote of answer?.panel?.votes ?? []) {
      const row = last.get(`${station} ${vote.reviewer}`);
      if (row === undefined) continue;
      row.findings += vote.findings;
      row.refuted += vote.withdrawn + vote.refuted;
      row.style += vote.style;
      row.dropped += vote.dropped;
      row.unique += vote.unique;
      row.noVotes += vote.vote === 'NO_VOTE' ? 1 : 0;
      held.push({ row, tree: answer?.tree ?? '', blocking: vote.places.length });
    }
  const alone = last.get('local-reviewer local-reviewer');
  if (review !== undefined && review.panel === undefined && alone !== undefined) {
    const own = review.findings.filter(({ source }) => source === 'reviewer');
    alone.findings += own.length;
    alone.unique += own.length;
    alone.style += own.filter(({ category }) => category.toLowerCase() === 'style').length;
    held.push({ row: alone, tree: review.tree, blocking: own.filter(isBlockingFinding).length });
  }
  const judge = last.get('judge judge');
  if (report !== undefined && report.panel === undefined && judge !== undefined) {
    judge.findings += report.blocking.length;
    judge.unique += report.blocking.length;
    judge.style += report.blocking.filter(({ weight }) => weight === 'nit').length;
    held.push({ row: judge, tree: report.tree, blocking: report.blocking.length });
  }
  return held;
}

function rowOf(rows: Map<string, Row>, { agent, model, reviewer }: Started, station: ReviewerRow['station']): Row {
  const name = reviewer ?? station;
  return rowFor(rows, [station, name, agent, model], () => {
    const none = { calls: 0, noVotes: 0, findings: 0, confirmed: 0, refuted: 0, style: 0, dropped: 0, unique: 0 };
    return { station, reviewer: name, agent, model, ...none, cost: sum([]) };
  });
}

/** A row for programs; minutes to the hundredth. */
export const toReviewerFacts = ({ cost, noVotes, ...row }: ReviewerRow) => ({
  ...row,
  no_votes: noVotes,
  tokens_in: cost.tokensIn,
  tokens_out: cost.tokensOut,
  usd: cost.usd,
  agent_minutes: Math.round(cost.minutes * 100) / 100,
  calls_not_wholly_reported: cost.unknown,
});
export type ReviewerFacts = ReturnType<typeof toReviewerFacts>;

/** `judge (claude opus)`; on a panel `judge security (claude opus)`. */
export function formatReviewerName({ station, reviewer, agent, model }: Omit<ReviewerRow, 'cost' | 'noVotes'>): string {
  const seat = reviewer === station ? station : `${station} ${reviewer}`;
  return `${seat} (${`${agent} ${model}`.trim()})`;
}

/** A reviewer's record in words: `4 findings: 2 confirmed, 1 refuted, 1 neither; …`. */
export function formatReviewer(row: ReviewerFacts): string {
  const open = row.findings - row.confirmed - row.refuted;
  const parts = [
    row.confirmed > 0 ? `${row.confirmed} confirmed` : '',
    row.refuted > 0 ? `${row.refuted} refuted` : '',
    open > 0 ? `${open} neither` : '',
    row.style > 0 ? `${row.style} style` : '',
    row.unique > 0 && row.reviewer !== row.station ? `${row.unique} found by no other reviewer` : '',
  ].filter((part) => part !== '');
  const left = row.dropped > 0 ? `; ${row.dropped} left out for want of a citation` : '';
  const silent = row.no_votes > 0 ? `; ${row.no_votes} time${row.no_votes === 1 ? '' : 's'} no vote` : '';
  const count = formatCount(row.findings, 'finding');
  return `${count}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}${left}${silent}`;
}

/** The journal's counts for one agent with one model at one station. */
export interface AgentStats {
  readonly station: StationId;
  readonly agent: string;
  readonly model: string;
  readonly tasks: number;
  readonly calls: number;
  /** Calls without a result: a crash, silence, no answer. */
  readonly failedCalls: number;
  /** For an implementer: changes, and how many of them left a gate red. */
  readonly changes: number;
  readonly gateRed: number;
  /** For an implementer: merged tasks that it began, and those merged with its first change. */
  readonly merged: number;
  readonly firstPass: number;
  readonly cost: Cost;
}

type AgentRow = { -readonly [Key in keyof AgentStats]: AgentStats[Key] };

/** Sums the journals of tasks by agent and model, in line order. No decision depends on these figures. */
export function agentStats(tasks: readonly (readonly JournalEntry[])[]): readonly AgentStats[] {
  const rows = new Map<string, AgentRow>();
  for (const entries of tasks) addAgents(rows, entries);
  return [...rows.values()].toSorted(
    (one, two) =>
      STATIONS.indexOf(one.station) - STATIONS.indexOf(two.station) ||
      one.agent.localeCompare(two.agent) ||
      one.model.localeCompare(two.model),
  );
}

function addAgents(rows: Map<string, AgentRow>, entries: readonly JournalEntry[]): void {
  const met = new Set<AgentRow>();
  const working = new Map<StationId, AgentRow>();
  const authors: AgentRow[] = []; // one for each change
  let open: Started | undefined;
  for (const entry of entries) {
    if (entry.kind === 'started') {
      open = entry;
      const row = agentRow(rows, entry);
      working.set(entry.station, row);
      met.add(row);
    }
    if (entry.kind === 'called' || entry.kind === 'interrupted' || entry.kind === 'held') {
      const row = working.get(entry.station);
      if (row === undefined || open === undefined) continue;
      row.cost = sum([row.cost, computeCost([open, entry]).total]);
      if (entry.kind !== 'held') row.calls += 1;
      if (entry.kind === 'called' && !entry.ok) row.failedCalls += 1;
    }
    if (entry.kind === 'moved') addMove(entry, working.get('implementer'), authors);
  }
  for (const row of met) row.tasks += 1;
}

function addMove({ facts, to }: Moved, implementer: AgentRow | undefined, authors: AgentRow[]): void {
  if (facts.change !== undefined && implementer !== undefined) {
    implementer.changes += 1;
    authors.push(implementer);
    if (listNonGreen(facts.gates).length > 0) implementer.gateRed += 1;
  }
  const [first] = authors;
  if (to === 'merged' && first !== undefined) {
    first.merged += 1;
    if (authors.length === 1) first.firstPass += 1;
  }
}

const agentRow = (rows: Map<string, AgentRow>, { station, agent, model }: Started): AgentRow =>
  rowFor(rows, [station, agent, model], () => {
    const none = { tasks: 0, calls: 0, failedCalls: 0, changes: 0, gateRed: 0, merged: 0, firstPass: 0 };
    return { station, agent, model, ...none, cost: sum([]) };
  });

/** The row of a key, made when it is first needed. */
function rowFor<One>(rows: Map<string, One>, key: readonly string[], make: () => One): One {
  const name = JSON.stringify(key);
  const row = rows.get(name) ?? make();
  rows.set(name, row);
  return row;
}
