import type { CallAmounts } from '../../agents/budget/compute-reserve.ts';
import { roundToMicros } from '../../agents/budget/normalise-usage.ts';
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

/** What a task has used; null where a call did not report it. */
export const getKnownUse = ({ spent }: Pick<TaskRecord, 'spent'>) => ({
  usd: spent.unknownUsd > 0 ? null : roundToMicros(spent.usd),
  tokens: spent.unknownTokens > 0 ? null : spent.tokens,
  minutes: spent.minutes,
});
