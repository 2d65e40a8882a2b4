import { agentStats, reviewerLedger } from '../../line/reports/reviewer-ledger.ts';
import { getContractTitle } from '../../line/words/commit-messages.ts';
import { computeCost, computeCostsByDay, sum } from '../../line/core/cost.ts';
import type { JournalEntry } from '../../line/record/journal-entry.ts';
import { toDigestLine } from '../../line/digest/repository-night.ts';
import { readJournal } from '../../line/journal/open-journal.ts';
import { HALT_WORDS } from '../../line/halts/halt-words.ts';
import { listOutcomes } from '../../line/reports/list-outcomes.ts';
import { millisecondsBetween } from '../../line/reports/task-report/format-figures.ts';
import type { InsightsResponse } from './api-types.ts';

interface RepositoryStories {
  readonly id: string;
  readonly tasks: readonly { readonly taskId: string; readonly entries: readonly JournalEntry[] }[];
}

/** What the tasks of some repositories used and what became of them. */
export function readInsights(places: readonly { readonly id: string; readonly state: string }[]): InsightsResponse {
  const all = places.map(({ id, state }): RepositoryStories => {
    const journal = readJournal({ state });
    try {
      const ids = journal?.taskIds() ?? [];
      return { id, tasks: ids.map((taskId) => ({ taskId, entries: journal?.entries(taskId) ?? [] })) };
    } finally {
      journal?.close();
    }
  });
  return computeInsights(all);
}

/** The same of journals that were read, by day, by task and by agent. */
export function computeInsights(all: readonly RepositoryStories[]): InsightsResponse {
  const perRepository = <Row>(list: (tasks: readonly (readonly JournalEntry[])[]) => readonly Row[]) =>
    all.flatMap(({ id, tasks }) =>
      list(tasks.map(({ entries }) => entries)).map((one) => ({ repository: id, ...one })),
    );
  return {
    days: perRepository(listDays),
    tasks: all
      .flatMap(({ id, tasks }) =>
        tasks.map(({ taskId, entries }) => ({
          repository: id,
          task_id: taskId,
          title: titleOf(taskId, entries),
          ...computeCost(entries).total,
        })),
      )
      .filter(({ calls }) => calls > 0),
    agents: perRepository(agentStats),
    reviewers: perRepository(reviewerLedger),
  };
}

/** The title of the last contract; the id where none can be read. */
function titleOf(taskId: string, entries: readonly JournalEntry[]): string {
  const last = entries.findLast((entry) => entry.kind === 'admitted');
  return last === undefined ? taskId : toDigestLine(getContractTitle(last.contract), 160);
}

function listDays(tasks: readonly (readonly JournalEntry[])[]) {
  const costs = Map.groupBy(tasks.flatMap(computeCostsByDay), ({ day }) => day);
  const outcomes = Map.groupBy(tasks.flatMap(listOutcomes), ({ day }) => day);
  const waits = Map.groupBy(tasks.flatMap(listWaits), ({ day }) => day);
  return [...new Set([costs, outcomes, waits].flatMap((one) => [...one.keys()]))].toSorted().map((day) => {
    const [used, ended] = [costs.get(day) ?? [], outcomes.get(day) ?? []];
    const merged = ended.filter(({ breaker }) => breaker === null);
    const halts = Map.groupBy(
      ended.flatMap(({ breaker }) => breaker ?? []),
      (breaker) => breaker,
    );
    return {
      day,
      tasks: used.length,
      cost: sum(used),
      merged: merged.length,
      first_pass: merged.filter(({ isFirstPass }) => isFirstPass).length,
      waited_ms: (waits.get(day) ?? []).reduce((all, { ms }) => all + ms, 0),
      halts: [...halts].map(([breaker, all]) => ({ phrase: HALT_WORDS[breaker].phrase, count: all.length })),
    };
  });
}

/** How long each halt of a task had waited when it was answered. */
function listWaits(entries: readonly JournalEntry[]): readonly { readonly day: string; readonly ms: number }[] {
  const moves = entries.filter((entry) => entry.kind === 'moved');
  return moves.flatMap(({ from, at }, index) => {
    const halted = moves[index - 1];
    return from === 'erik_consultation' && halted !== undefined
      ? [{ day: at.slice(0, 10), ms: millisecondsBetween(halted.at, at) }]
      : [];
  });
}
