import { formatCount } from '../../base/format-count.ts';
import { formatDuration, formatTokens } from '../reports/task-report/format-figures.ts';
import { abandon, type Breaker } from './breaker.ts';
import { ceilToCents, countDollarsLeft, formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { findPassedBudget, getBudget } from '../record/get-budget.ts';
import { RAISE_MARGIN, SMALLEST_RESERVE_USD, type CallAmounts } from '../../agents/budget/compute-reserve.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** A person is notified from this share of a budget on. */
const NEARLY = 0.8;
/** Sums of dollars are inexact; smaller differences are zero. */
const ROUNDING = 1e-6;

/** A call whose reservation does not fit is not made; a total above the budget stops the line. */
export const budget: Breaker = {
  question: 'Does the next call not fit into the budget, or has the task passed it?',
  check(record) {
    const reason = record.lastFacts.budget ?? findPassedBudget(record)?.reason;
    if (reason === undefined) return undefined;
    const raise = raiseBy(record);
    return {
      reason,
      sides: [
        { who: 'budget', says: formatAmounts(getBudget(record)) || 'no limit of its own' },
        { who: 'ledger', says: ledger(record) },
      ],
      paths: [
        {
          title: raise.words === '' ? 'Try again' : 'Raise the budget',
          does: raise.words === '' ? 'The call is made again.' : `Raises the budget of this task by ${raise.words}.`,
          effect: { to: record.status, ...raise.effect },
        },
        abandon(record),
      ],
    };
  },
};

/** The parts of the budget that crossed the notification threshold, once each. */
export function listNearlySpent(before: TaskRecord, after: TaskRecord): readonly string[] {
  const limits = getBudget(after);
  return (['usd', 'tokens', 'minutes'] as const).flatMap((what) => {
    const limit = limits[what];
    if (limit === undefined || limit <= 0) return [];
    const from = NEARLY * limit - ROUNDING;
    if (after.spent[what] < from || before.spent[what] >= from) return [];
    return [
      `${Math.floor(100 * (after.spent[what] / limit) + ROUNDING)} % of the budget is used: ${SHOWN[what](after.spent[what], limit)}`,
    ];
  });
}

const SHOWN = {
  usd: (used: number, limit: number) => `$${used.toFixed(4)} of ${formatDollarsExactly(limit)}`,
  tokens: (used: number, limit: number) => `${used} of ${limit} tokens`,
  minutes: (used: number, limit: number) => `${used.toFixed(1)} of ${limit} minutes of agents' time`,
} as const;

function ledger({ spent, calls }: TaskRecord): string {
  const charged = Math.max(0, calls.filter(({ usd }) => usd === null).length - spent.unknownUsd);
  const silent =
    charged > 0 ? ` (of ${formatCount(charged, 'call')} that told no cost, all that was reserved for them)` : '';
  const unknown =
    spent.unknownUsd > 0
      ? ` (${spent.unknownUsd} call${spent.unknownUsd === 1 ? '' : 's'} of unknown cost, estimated or left out)`
      : '';
  return `${formatCount(calls.length, 'call')}, $${spent.usd.toFixed(4)}${silent}${unknown}, ${formatTokens(spent.tokens, spent.unknownTokens)}, ${formatDuration(spent.minutes * 60_000)}`;
}

/**
 * Raises every named part of the budget by the rest of the round, from the last calls at its stations plus a quarter. The raise
 * covers the next call and is at least its first value, so that the same halt does not follow at once.
 */
function raiseBy(record: TaskRecord): { words: string; effect: { usd?: number; tokens?: number; minutes?: number } } {
  const { contract, spent, lastFacts } = record;
  const { budget: first } = contract.limits;
  const now = getBudget(record);
  const { usd: roundUsd, tokens: roundTokens, minutes: roundMinutes } = lastFacts.budgetRound ?? NOTHING_KNOWN;
  const least = { usd: Math.max(SMALLEST_RESERVE_USD, roundUsd * RAISE_MARGIN), minutes: roundMinutes * RAISE_MARGIN };
  const nextTokens = Math.max(lastFacts.budgetTokens ?? 1, Math.ceil(roundTokens * RAISE_MARGIN));
  const effect = {
    ...(first.usd === undefined || now.usd === undefined
      ? {}
      : { usd: Math.max(first.usd, ceilToCents(least.usd - countDollarsLeft(now.usd, spent.usd))) }),
    ...(first.tokens === undefined || now.tokens === undefined
      ? {}
      : { tokens: Math.max(first.tokens, spent.tokens + nextTokens - now.tokens) }),
    ...(first.minutes === undefined || now.minutes === undefined
      ? {}
      : { minutes: moreMinutes(first.minutes, spent.minutes + least.minutes - now.minutes) }),
  };
  return { words: formatAmounts(effect), effect };
}

const formatAmounts = ({ usd, tokens, minutes }: Partial<CallAmounts>): string =>
  [
    usd === undefined ? '' : formatDollarsExactly(usd),
    tokens === undefined ? '' : `${tokens} tokens`,
    minutes === undefined ? '' : `${minutes} minutes`,
  ]
    .filter((word) => word !== '')
    .join(', ');

const NOTHING_KNOWN = { usd: 0, tokens: 0, minutes: 0 };
const moreMinutes = (helping: number, over: number): number => (helping > over ? helping : Math.ceil(over) + 1);
