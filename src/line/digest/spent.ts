import { toMicroDollars, roundToMicros, normaliseUsage } from '../../agents/budget/usage.ts';
import { getBudget } from '../record/get-budget.ts';
import { chargeHeld, chargeInterrupted } from '../core/cost.ts';
import { chargeCall } from '../../agents/budget/charge.ts';
import { TERMINAL } from '../../base/names.ts';
import type { JournalEntry, Started } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { BudgetUse, TaskSpent, UsedAmount } from './digest.ts';
import type { RepositoryNight, TaskStory } from './repository-night.ts';

const NOTHING: UsedAmount = {
  calls: 0,
  usd: 0,
  usd_known: 0,
  calls_without_price: 0,
  usd_reserved: 0,
  tokens: 0,
  tokens_known: 0,
  calls_without_tokens: 0,
  minutes: 0,
};

/** Usage of each task in this period, and of its budget; open tasks included. */
export const listSpending = ({ root }: RepositoryNight, stories: readonly TaskStory[]): readonly TaskSpent[] =>
  stories.flatMap(({ taskId, record, news }) => {
    const used = usedBy(
      news.map(({ entry }) => entry),
      news[0]?.before?.openCall,
    );
    const isOpen = !TERMINAL.includes(record.status);
    const of = listBudgetUse(record);
    if (used.calls === 0 && !(isOpen && of.length > 0)) return [];
    return [{ repository: root, task_id: taskId, ...used, budget: of }];
  });

/** A sum with an unknown part is unknown. */
export const sumUsage = (all: readonly UsedAmount[]): UsedAmount =>
  all.reduce<UsedAmount>(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      usd: sum.usd === null || one.usd === null ? null : roundToMicros(sum.usd + one.usd),
      usd_known: roundToMicros(sum.usd_known + one.usd_known),
      calls_without_price: sum.calls_without_price + one.calls_without_price,
      usd_reserved: roundToMicros(sum.usd_reserved + one.usd_reserved),
      tokens: sum.tokens === null || one.tokens === null ? null : sum.tokens + one.tokens,
      tokens_known: sum.tokens_known + one.tokens_known,
      calls_without_tokens: sum.calls_without_tokens + one.calls_without_tokens,
      minutes: sum.minutes + one.minutes,
    }),
    NOTHING,
  );

/** The calls that ended among these entries; `open` was running before them. */
function usedBy(entries: readonly JournalEntry[], open: Started | undefined): UsedAmount {
  const calls: UsedAmount[] = [];
  let begun = open;
  for (const entry of entries) {
    if (entry.kind === 'started') begun = entry;
    if (entry.kind === 'called' || entry.kind === 'held' || entry.kind === 'interrupted') {
      const used = usedByCall(entry, begun);
      if (used !== undefined) calls.push(used);
      begun = undefined;
    }
  }
  return sumUsage(calls);
}

type Ended = Extract<JournalEntry, { kind: 'called' | 'held' | 'interrupted' }>;

/** Usage of one call; none where its program was unavailable before the model was asked. */
function usedByCall(entry: Ended, begun: Started | undefined): UsedAmount | undefined {
  if (entry.kind === 'interrupted') {
    const { usd, minutes } = chargeInterrupted(entry, begun);
    return one(toMicroDollars(entry.usd), entry.tokens ?? null, entry.tokens ?? 0, minutes, usd);
  }
  const { tokensIn, tokensOut, usd } = normaliseUsage(entry);
  const known = (tokensIn ?? 0) + (tokensOut ?? 0);
  const tokens = tokensIn === null || tokensOut === null ? null : known;
  if (entry.kind === 'held') {
    if (known === 0 && (usd ?? 0) === 0) return undefined;
    return one(usd, tokens, known, chargeHeld(entry).minutes, 0);
  }
  const charge = chargeCall(entry, begun);
  return one(usd, tokens, known, charge.minutes, charge.usd);
}

const one = (
  usd: number | null,
  tokens: number | null,
  known: number,
  minutes: number,
  charged: number,
): UsedAmount => ({
  calls: 1,
  usd,
  usd_known: usd ?? 0,
  calls_without_price: usd === null ? 1 : 0,
  usd_reserved: usd === null ? charged : 0,
  tokens,
  tokens_known: known,
  calls_without_tokens: tokens === null ? 1 : 0,
  minutes,
});

export function listBudgetUse(record: TaskRecord): readonly BudgetUse[] {
  const allowed = getBudget(record);
  const { spent } = record;
  const unknown = { usd: spent.unknownUsd, tokens: spent.unknownTokens, minutes: 0 };
  return (['usd', 'tokens', 'minutes'] as const).flatMap((of) => {
    const limit = allowed[of];
    if (limit === undefined) return [];
    return [{ of, used: unknown[of] > 0 ? null : spent[of], at_least: spent[of], limit }];
  });
}
