import { agentStats } from '../../line/agent-stats.ts';
import { computeCost, computeCostsByDay, sum } from '../../line/cost.ts';
import { reviewerLedger } from '../../line/reviewer-ledger.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import type { CostsResponse } from './api-types.ts';

/** What the tasks of some repositories used, by day and by task, and what became of the work of each agent. */
export function readCosts(places: readonly { readonly id: string; readonly state: string }[]): CostsResponse {
  const all = places.map(({ id, state }) => {
    const journal = readJournal({ state });
    try {
      return {
        id,
        tasks: (journal?.taskIds() ?? []).map((taskId) => [taskId, journal?.entries(taskId) ?? []] as const),
      };
    } finally {
      journal?.close();
    }
  });
  const days = all.flatMap(({ tasks }) => tasks.flatMap(([, entries]) => computeCostsByDay(entries)));
  return {
    days: [...Map.groupBy(days, ({ day }) => day)]
      .map(([day, costs]) => ({ day, tasks: costs.length, ...sum(costs) }))
      .toSorted((one, other) => other.day.localeCompare(one.day)),
    tasks: all.flatMap(({ id, tasks }) =>
      tasks.flatMap(([taskId, entries]) => {
        const { total } = computeCost(entries);
        return total.calls === 0 ? [] : [{ repository: id, task_id: taskId, ...total }];
      }),
    ),
    agents: all.flatMap(({ id, tasks }) =>
      agentStats(tasks.map(([, entries]) => entries)).map((one) => ({ repository: id, ...one })),
    ),
    reviewers: all.flatMap(({ id, tasks }) =>
      reviewerLedger(tasks.map(([, entries]) => entries)).map((one) => ({ repository: id, ...one })),
    ),
  };
}
