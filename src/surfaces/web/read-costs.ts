import { agentStats, reviewerLedger } from '../../line/reviewer-ledger.ts';
import { computeCost, computeCostsByDay, sum } from '../../line/cost.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import type { CostsResponse } from './api-types.ts';

/** What the tasks of some repositories used, by day and by task, and what became of the work of each agent. */
export function readCosts(places: readonly { readonly id: string; readonly state: string }[]): CostsResponse {
  const all = places.map(({ id, state }) => {
    const journal = readJournal({ state });
    try {
      const ids = journal?.taskIds() ?? [];
      return { id, tasks: ids.map((taskId) => ({ taskId, entries: journal?.entries(taskId) ?? [] })) };
    } finally {
      journal?.close();
    }
  });
  const days = all.flatMap(({ tasks }) => tasks.flatMap(({ entries }) => computeCostsByDay(entries)));
  const perRepository = <Row>(list: (tasks: readonly (readonly JournalEntry[])[]) => readonly Row[]) =>
    all.flatMap(({ id, tasks }) =>
      list(tasks.map(({ entries }) => entries)).map((one) => ({ repository: id, ...one })),
    );
  return {
    days: [...Map.groupBy(days, ({ day }) => day)]
      .map(([day, costs]) => ({ day, tasks: costs.length, ...sum(costs) }))
      .toSorted((one, other) => other.day.localeCompare(one.day)),
    tasks: all
      .flatMap(({ id, tasks }) =>
        tasks.map(({ taskId, entries }) => ({ repository: id, task_id: taskId, ...computeCost(entries).total })),
      )
      .filter(({ calls }) => calls > 0),
    agents: perRepository(agentStats),
    reviewers: perRepository(reviewerLedger),
  };
}
