import type { CallAmounts } from '../../agents/budget/compute-reserve.ts';
import type { TaskRecord } from './task-record.ts';

/** The budget of a task with what was granted at its halts; undefined: no limit. */
export function getBudget(record: TaskRecord): CallAmounts {
  const { usd, tokens, minutes } = record.contract.limits.budget;
  return {
    usd: usd === undefined ? undefined : usd + record.grants.usd,
    tokens: tokens === undefined ? undefined : tokens + record.grants.tokens,
    minutes: minutes === undefined ? undefined : minutes + record.grants.minutes,
  };
}
