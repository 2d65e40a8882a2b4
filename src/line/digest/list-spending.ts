import { getBudget, getKnownUse } from '../record/get-budget.ts';
import { computeCost, sum, type Cost } from '../core/cost.ts';
import { TERMINAL } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { BudgetUse, DigestSpending, UsedAmount } from './digest.ts';
import type { RepositoryNight, TaskStory } from './repository-night.ts';

/** Usage of each task in this period, and of its budget, open tasks included; and all of it together. */
export function listSpending(
  nights: readonly { readonly night: RepositoryNight; readonly stories: readonly TaskStory[] }[],
): Pick<DigestSpending, 'together' | 'tasks'> {
  const all = nights.flatMap(({ night, stories }) =>
    stories.map(({ taskId, record, news }) => {
      const entries = news.map(({ entry }) => entry);
      return { root: night.root, taskId, record, cost: computeCost(entries, '', news[0]?.before?.openCall).total };
    }),
  );
  const tasks = all.flatMap(({ root, taskId, record, cost }) => {
    const budget = listBudgetUse(record);
    const isShown = cost.calls > 0 || (budget.length > 0 && !TERMINAL.includes(record.status));
    return isShown ? [{ repository: root, task_id: taskId, ...toUsedAmount(cost), budget }] : [];
  });
  return { together: toUsedAmount(sum(all.map(({ cost }) => cost))), tasks };
}

/** A sum with an unknown part is unknown. */
function toUsedAmount(cost: Cost): UsedAmount {
  const { calls, usd, unpriced, reservedUsd, unknownTokens, minutes } = cost;
  const tokens = cost.tokensIn + cost.tokensOut;
  return {
    calls,
    usd: unpriced > 0 ? null : usd,
    usd_known: usd,
    calls_without_price: unpriced,
    usd_reserved: reservedUsd,
    tokens: unknownTokens > 0 ? null : tokens,
    tokens_known: tokens,
    calls_without_tokens: unknownTokens,
    minutes,
  };
}

export function listBudgetUse(record: TaskRecord): readonly BudgetUse[] {
  const allowed = getBudget(record);
  const used = getKnownUse(record);
  return (['usd', 'tokens', 'minutes'] as const).flatMap((of) => {
    const limit = allowed[of];
    if (limit === undefined) return [];
    return [{ of, used: used[of], at_least: record.spent[of], limit }];
  });
}
