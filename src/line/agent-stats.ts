import { STATIONS } from '../base/names.ts';
import type { StationId } from '../base/names.ts';
import { listNonGreen } from '../record/change.ts';
import { isBlockingFinding } from '../record/finding.ts';
import type { JournalEntry, Moved, Started } from '../record/journal-entry.ts';
import { computeCost, sum } from './cost.ts';
import type { Cost } from './cost.ts';

/** The journal's counts for one agent with one model at one station: calls, tasks or findings. */
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
  /**
   * For a reviewer or judge: blocking findings; those answered by another change or shared by the judge; and those on a
   * tree that a judge passed. The rest is undecided.
   */
  readonly findings: number;
  readonly findingsHeld: number;
  readonly findingsRefuted: number;
  readonly cost: Cost;
}

type Row = { -readonly [Key in keyof AgentStats]: AgentStats[Key] };

/** Sums the journals of tasks by agent and model, in line order. No decision depends on these figures. */
export function agentStats(tasks: readonly (readonly JournalEntry[])[]): readonly AgentStats[] {
  const rows = new Map<string, Row>();
  for (const entries of tasks) addTask(rows, entries);
  return [...rows.values()].toSorted(
    (one, two) =>
      STATIONS.indexOf(one.station) - STATIONS.indexOf(two.station) ||
      one.agent.localeCompare(two.agent) ||
      one.model.localeCompare(two.model),
  );
}

/** One reviewer's findings on one tree. */
interface Held {
  readonly row: Row;
  readonly tree: string;
  readonly blocking: number;
}

function addTask(rows: Map<string, Row>, entries: readonly JournalEntry[]): void {
  const met = new Set<Row>();
  const working = new Map<StationId, Row>();
  const reviews: Held[] = [];
  const verdicts: { readonly tree: string; readonly verdict: string }[] = [];
  const changes: { readonly row: Row; readonly tree: string }[] = [];
  let open: Started | undefined;
  for (const entry of entries) {
    if (entry.kind === 'started') {
      open = entry;
      const row = rowOf(rows, entry);
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
    if (entry.kind === 'moved') addMove(entry, working, { reviews, verdicts, changes });
  }
  for (const row of met) row.tasks += 1;
  for (const { row, tree, blocking } of reviews) {
    const isPassed = verdicts.some((one) => one.tree === tree && one.verdict === 'PASS');
    const last = changes.findLastIndex((one) => one.tree === tree);
    const isAnswered = last !== -1 && changes.slice(last + 1).some((one) => one.tree !== tree);
    row.findings += blocking;
    if (isPassed) row.findingsRefuted += blocking;
    else if (isAnswered) row.findingsHeld += blocking;
  }
}

function addMove(
  { facts, to }: Moved,
  working: ReadonlyMap<StationId, Row>,
  seen: {
    readonly reviews: Held[];
    readonly verdicts: { readonly tree: string; readonly verdict: string }[];
    readonly changes: { readonly row: Row; readonly tree: string }[];
  },
): void {
  const implementer = working.get('implementer');
  if (facts.change !== undefined && implementer !== undefined) {
    implementer.changes += 1;
    seen.changes.push({ row: implementer, tree: facts.change.tree });
    if (listNonGreen(facts.gates).length > 0) implementer.gateRed += 1;
  }
  const reviewer = working.get('local-reviewer');
  if (facts.review !== undefined && facts.review.panel === undefined && reviewer !== undefined) {
    const blocking = facts.review.findings.filter((one) => one.source === 'reviewer' && isBlockingFinding(one)).length;
    seen.reviews.push({ row: reviewer, tree: facts.review.tree, blocking });
  }
  const judge = working.get('judge');
  if (facts.report !== undefined) {
    const { tree, verdict, blocking, panel } = facts.report;
    seen.verdicts.push({ tree, verdict });
    if (judge !== undefined && panel === undefined) seen.reviews.push({ row: judge, tree, blocking: blocking.length });
  }
  const [first] = seen.changes;
  if (to === 'merged' && first !== undefined) {
    first.row.merged += 1;
    if (seen.changes.length === 1) first.row.firstPass += 1;
  }
}

function rowOf(rows: Map<string, Row>, { station, agent, model }: Started): Row {
  const key = JSON.stringify([station, agent, model]);
  const known = rows.get(key);
  if (known !== undefined) return known;
  const made: Row = {
    station,
    agent,
    model,
    tasks: 0,
    calls: 0,
    failedCalls: 0,
    changes: 0,
    gateRed: 0,
    merged: 0,
    firstPass: 0,
    findings: 0,
    findingsHeld: 0,
    findingsRefuted: 0,
    cost: sum([]),
  };
  rows.set(key, made);
  return made;
}
