import type { TaskRecord } from '../record/task-record.ts';
import { STATION_AT, TERMINAL } from '../../base/names.ts';
import type { BreakerId, Halt, Path } from '../record/trip.ts';
import { ceilToCents, countDollarsLeft, formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { RAISE_MARGIN } from '../../agents/budget/compute-reserve.ts';
import { getBudget } from '../record/get-budget.ts';
import { HALT_WORDS } from './halt-words.ts';
import { estimateRoundUsd, suggestAnswer, type SuggestedAnswer } from './suggest-answer.ts';
import { findLargestUse } from '../core/past-calls.ts';

export interface HaltSummary {
  readonly breaker: BreakerId;
  readonly phrase: string;
  readonly question: string;
  /** Null where code has no safe path to name. */
  readonly suggestion: SuggestedAnswer | null;
  readonly paths: readonly SummarizedPath[];
  /** Sums for a budget in dollars; null where the halt is about none. */
  readonly money: MoneyChoice | null;
  /** The same for halts of one cause, which one confirmation may answer; null where each needs its own words. */
  readonly cause: string | null;
}

type SummarizedPath = ReturnType<typeof summarizePath>;

type MoneyChoice = NonNullable<ReturnType<typeof moneyOf>>;

export function summarizeHalt(record: TaskRecord, halt: Halt): HaltSummary {
  const { breaker } = halt.trip;
  const money = breaker === 'budget' ? moneyOf(record, halt) : undefined;
  const paths = halt.paths.map((path) => summarizePath(path, money));
  const suggestion = suggestAnswer(record, halt);
  return {
    breaker,
    phrase: HALT_WORDS[breaker].phrase,
    question: HALT_WORDS[breaker].ask(record, halt),
    suggestion: suggestion !== undefined && canBeTaken(paths[suggestion.path - 1], money) ? suggestion : null,
    paths,
    money: money ?? null,
    cause: causeOf(record, halt) ?? null,
  };
}

/** A sentence behind the path of this number where it is the suggested one, else nothing. */
export const noteSuggestion = ({ suggestion }: HaltSummary, path: number): string =>
  suggestion?.path === path ? ` andon suggests this path: ${suggestion.why}.` : '';

/** A futile raise can be taken with another sum, where one is known. */
const canBeTaken = (path: SummarizedPath | undefined, money: MoneyChoice | undefined): boolean =>
  path?.futile === null || (money?.sums ?? []).length > 0;

function summarizePath({ title, does, typed, reasoned, effect }: Path, money: MoneyChoice | undefined) {
  const { to, verdict, approveTree, allowWeakened, waive } = effect;
  const isAccepted =
    verdict === 'PASS' || approveTree !== undefined || allowWeakened !== undefined || waive !== undefined;
  return {
    title,
    does,
    typed: typed === true,
    reasoned: reasoned === true,
    /** It ends the task, or accepts what was objected to. */
    is_drastic: TERMINAL.includes(to) || typed === true || isAccepted,
    /** Why it would only lead to the same halt; null where it can be taken. */
    futile:
      money === undefined || effect.usd === undefined ? null : explainFutile(money, money.budget_usd + effect.usd),
  };
}

/** Why a budget would not carry the next call; null where it does, or the next call is unknown. */
function explainFutile({ spent_usd: spent, next_usd: next }: MoneyChoice, budget: number): string | null {
  const left = countDollarsLeft(budget, spent);
  if (next === null || left >= next) return null;
  return `It leaves ${formatDollarsExactly(Math.max(0, left))}, and the next call takes about ${formatDollarsExactly(next)}.`;
}

function moneyOf(record: TaskRecord, { statusBefore }: Halt) {
  const { usd: budget } = getBudget(record);
  if (budget === undefined) return undefined;
  const { spent, calls, lastFacts } = record;
  const station = STATION_AT[statusBefore];
  const round = estimateRoundUsd(record);
  const rest = lastFacts.budgetRound?.usd ?? round;
  const sums =
    round === undefined || rest === undefined
      ? []
      : [1, 2].map((rounds) => ({
          rounds,
          usd: ceilToCents(spent.usd + RAISE_MARGIN * (Math.max(rest, round) + (rounds - 1) * round)),
        }));
  return {
    spent_usd: spent.usd,
    budget_usd: budget,
    /** What the next call takes, by the last calls at its station; null = unknown. */
    next_usd: (station === undefined ? undefined : findLargestUse(calls, station)?.usd) ?? null,
    sums: sums.filter(({ usd }) => usd > budget),
  };
}

/** What halts of one cause share; halts whose paths ask for words are each answered by themselves. */
function causeOf({ lastFacts }: TaskRecord, { trip, paths }: Halt): string | undefined {
  if (paths.some(({ typed, reasoned }) => typed === true || reasoned === true)) return undefined;
  const shared = [trip.breaker, ...paths.map(({ title }) => title)];
  const { baseRed } = lastFacts;
  if (trip.breaker === 'base_red' && baseRed !== undefined)
    return [...shared, baseRed.gate, baseRed.outcome, baseRed.commit].join(' · ');
  const isOfAgent = trip.breaker === 'unavailable' || trip.breaker === 'stalled' || trip.breaker === 'fault';
  return isOfAgent ? [...shared, trip.reason].join(' · ') : undefined;
}
