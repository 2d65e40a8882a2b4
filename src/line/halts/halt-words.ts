import { listNames } from '../../base/list-names.ts';
import { toBranchName } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { BreakerId, Halt } from '../record/trip.ts';
import { formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { findPassedBudget, getBudget } from '../record/get-budget.ts';

/** What people read about a breaker: a phrase of at most six words, and the question that its halt asks. */
export interface HaltWords {
  readonly phrase: string;
  readonly ask: (record: TaskRecord, halt: Halt) => string;
}

/** A breaker in words, on every surface; its machine name is for JSON, `--explain` and a grey suffix. */
export const HALT_WORDS: Readonly<Record<BreakerId, HaltWords>> = {
  contract_tampered: {
    phrase: 'Edited on disk during the task',
    ask: ({ lastFacts: { tampered } }) =>
      `The ${tampered?.file === undefined ? 'contract' : 'report'} was edited during the task. Which version holds?`,
  },
  fault: { phrase: 'Something broke outside the task', ask: () => 'Something broke outside the task. Go on?' },
  judge_halt: { phrase: 'The judge stopped the task', ask: () => 'The judge stopped the task. Fix what it names?' },
  rule_violation: { phrase: 'A hard rule is broken', ask: () => 'A hard rule is broken. Fix it, or waive it once?' },
  scope: {
    phrase: 'Wants files outside its scope',
    ask: ({ lastFacts: { scopeRefused = [], protectedRefused = [] } }, { paths }) =>
      `The implementer wants to change ${listNames([...scopeRefused, ...protectedRefused], 2) || 'other files'}, ${paths.some(({ effect }) => effect.paths !== undefined) ? 'outside its scope. Allow it?' : 'which no halt can allow. Try again without it?'}`,
  },
  weakened_gate: {
    phrase: 'The change weakens its tests',
    ask: () => 'The change weakens gates or tests again. Allow it?',
  },
  destructive_action: {
    phrase: 'The change exceeds its limits',
    ask: () => 'The change exceeds the limits of its contract. Accept exactly this change?',
  },
  paradox: {
    phrase: 'Reviewer and judge disagree',
    ask: () => 'Reviewer and judge disagree: is this a security flaw?',
  },
  hallucination_loop: {
    phrase: 'The implementer repeats a rejected change',
    ask: ({ lastFacts: { strike } }) =>
      `${strike?.kind === 'refused' ? 'The implementer’s answers repeat what was rejected' : 'The implementer repeats a rejected change'}. Try again, or end the task?`,
  },
  rebuttal_limit: {
    phrase: 'Floor manager and judge disagree',
    ask: () => 'Floor manager and judge disagree. Who is right?',
  },
  gpt_energy: {
    phrase: 'Only matters of taste are left',
    ask: () => 'The judge blocks on matters of taste alone. Merge as it is?',
  },
  review_cycle_limit: {
    phrase: 'Sent back too often',
    ask: ({ reviewCycles }) => `The task has used ${reviewCycles} review cycles. Give it more?`,
  },
  unreadable_report: {
    phrase: 'The judge’s report is unusable',
    ask: () => 'The judge gave no usable report. Ask it again?',
  },
  stalled: {
    phrase: 'An agent gives no usable answer',
    ask: ({ strikes }) =>
      strikes.length === 0
        ? 'The implementer gave no usable answer. Try again?'
        : `The ${strikes.at(-1)?.station} ${strikes.length > 1 ? `failed ${strikes.length} times in a row` : strikes[0]?.kind === 'stall' ? 'was silent or busy for too long' : 'failed'}. Try again?`,
  },
  budget: { phrase: 'The budget is used up', ask: askForMoney },
  merge_blocked: {
    phrase: 'The change cannot be merged',
    ask: ({ target }) => `The change passed, but does not merge into ${toBranchName(target)}. What now?`,
  },
  base_red: {
    phrase: 'The base is already red',
    ask: askAboutBase,
  },
  unavailable: {
    phrase: 'An agent is unreachable',
    ask: (_, { trip }) => `The ${trip.sides[0]?.who ?? 'agent'} is unreachable. Wait longer?`,
  },
  cord: {
    phrase: 'Stopped by a person',
    ask: (_, { trip }) => `Stopped by ${trip.sides[0]?.who ?? 'a person'}. Go on?`,
  },
};

/** The phrase within a sentence. */
export const phraseOfHalt = (breaker: BreakerId): string => HALT_WORDS[breaker].phrase.toLowerCase();

function askAboutBase({ lastFacts: { baseRed }, target }: TaskRecord): string {
  const what = 'What should this task do about it?';
  if (baseRed === undefined) return `A gate is not green on the base. ${what}`;
  const { gate, outcome, tests } = baseRed;
  const count = tests === undefined ? '' : ` (${tests.failed} of ${tests.failed + tests.passed} tests)`;
  const does = outcome === 'flaky' ? 'is flaky' : 'fails';
  return `Gate ${gate} ${does} on ${toBranchName(target)} before any change${count}. ${what}`;
}

function askForMoney(record: TaskRecord): string {
  const { spent } = record;
  const { usd, tokens, minutes } = getBudget(record);
  const part = record.lastFacts.budgetPart ?? findPassedBudget(record)?.part;
  const more = 'Give it more?';
  if (usd !== undefined && (part ?? 'usd') === 'usd')
    return `The task has used ${formatDollarsExactly(spent.usd)} of its ${formatDollarsExactly(usd)}. ${more}`;
  if (tokens !== undefined && (part ?? 'tokens') === 'tokens')
    return `The task has used ${grouped(spent.tokens)} of its ${grouped(tokens)} tokens. ${more}`;
  if (minutes !== undefined)
    return `The task has used ${spent.minutes.toFixed(1)} of its ${minutes} minutes of agents' time. ${more}`;
  return 'The next call does not fit into the budget. Try again?';
}

const grouped = (count: number): string => count.toLocaleString('en-US');
