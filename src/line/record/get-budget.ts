import type { CallAmounts } from '../../agents/budget/compute-reserve.ts';
import { countDollarsLeft, formatDollarsExactly, roundToMicros } from '../../agents/budget/normalise-usage.ts';
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

/** The first part of the budget of which more is used than there is. */
export function findPassedBudget(record: TaskRecord) {
  const { usd, tokens, minutes } = getBudget(record);
  const { spent } = record;
  if (usd !== undefined && countDollarsLeft(usd, spent.usd) < 0)
    return {
      part: 'usd',
      reason: `$${spent.usd.toFixed(4)} spent; the budget is ${formatDollarsExactly(usd)}`,
    } as const;
  if (tokens !== undefined && spent.tokens > tokens)
    return { part: 'tokens', reason: `${spent.tokens} tokens used; the budget is ${tokens}` } as const;
  if (minutes !== undefined && spent.minutes > minutes)
    return {
      part: 'minutes',
      reason: `${spent.minutes.toFixed(1)} minutes of agents' time used; the budget is ${minutes}`,
    } as const;
  return undefined;
}
