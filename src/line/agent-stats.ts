import { STATIONS, type StationId } from '../base/names.ts';
import { listNonGreen } from '../record/change.ts';
import type { JournalEntry, Moved, Started } from '../record/journal-entry.ts';
import { computeCost, sum, type Cost } from './cost.ts';

/** The journal's counts for one agent with one model at one station. For findings, see `reviewer-ledger.ts`. */
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

function addTask(rows: Map<string, Row>, entries: readonly JournalEntry[]): void {
  const met = new Set<Row>();
  const working = new Map<StationId, Row>();
  const authors: Row[] = []; // one for each change
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
    if (entry.kind === 'moved') addMove(entry, working.get('implementer'), authors);
  }
  for (const row of met) row.tasks += 1;
}

function addMove({ facts, to }: Moved, implementer: Row | undefined, authors: Row[]): void {
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

function rowOf(rows: Map<string, Row>, { station, agent, model }: Started): Row {
  const key = JSON.stringify([station, agent, model]);
  const known = rows.get(key);
  if (known !== undefined) return known;
  const none = { tasks: 0, calls: 0, failedCalls: 0, changes: 0, gateRed: 0, merged: 0, firstPass: 0 };
  const made: Row = { station, agent, model, ...none, cost: sum([]) };
  rows.set(key, made);
  return made;
}
