import type { Status } from '../../base/names.ts';
import type { EventSource } from '../record/step-event.ts';
import type { BreakerId } from '../record/trip.ts';
import type { CeilingUse, NightReport } from '../../agents/budget/night-facts.ts';

export interface Named {
  readonly name: string;
  readonly root: string;
}

interface About {
  readonly repository: string;
  readonly task_id: string | null;
}

/** One command to paste in the folder of the repository. */
export interface SuggestedCommand {
  readonly title: string;
  readonly does: string;
  readonly command: string;
}

export interface Need extends About {
  readonly kind: 'halt' | 'decision' | 'refused' | 'stopped' | 'unwatched' | 'unwell' | 'overdue';
  readonly what: string;
  readonly since: string | null;
  /** What the halt asks a person. */
  readonly question: string | null;
  readonly why: string;
  readonly halt_id: string | null;
  readonly ways: readonly SuggestedCommand[];
}

export interface MergedTask extends About {
  readonly at: string;
  /** The contract's first requirement. */
  readonly wanted: string;
  readonly target: string;
  readonly commit: string;
  readonly added: number;
  readonly deleted: number;
  /** Whether the target holds it now; null = unknown. */
  readonly held: boolean | null;
  readonly verdict: string | null;
  readonly judged_outside: boolean;
  readonly gates_green: number;
  readonly gates: number;
  /** The result of gates with the tests of the base; null where they were not run. */
  readonly second_look_seconds: number | null;
  /** A person's ruling that it needed. */
  readonly decided_by: string | null;
  /** The breakers that halted it before, oldest first. */
  readonly halts: readonly BreakerId[];
  /** Halts that a person overruled for this change. */
  readonly approved: readonly string[];
  /** What a person allowed at halts beyond the contract: files, size of the change, budget. */
  readonly widened: readonly string[];
  /** Permitted weakenings of gates or tests. */
  readonly weakened: readonly string[];
  /** Rules that are not sure, and what would answer them. */
  readonly not_sure: readonly string[];
  readonly undone_as: string | null;
  readonly undone_at: string | null;
  /** The command that reverts it; null where it is reverted. */
  readonly undo: string | null;
}

export interface RejectedRound {
  readonly at: string;
  readonly attempt: number;
  readonly by: EventSource | 'line';
  /** What came back: a change, or an answer that did not count (refused, unreadable, a failed call). */
  readonly of: 'change' | 'answer';
  readonly why: string;
  /** A reviewer's own words. */
  readonly says: string | null;
}

export interface SentBack extends About {
  readonly status: Status;
  /** The commit that took its merge out again; null = none. */
  readonly undone_as: string | null;
  readonly rounds: readonly RejectedRound[];
  /** The breakers that halted it meanwhile, oldest first. */
  readonly halts: readonly BreakerId[];
  readonly red_gates: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, number>>;
}

export interface GivenUp extends About {
  readonly task_id: string;
  readonly at: string;
  readonly why: string;
}

/** Usage; a figure with unknown parts is null, beside its known part. */
export interface UsedAmount {
  readonly calls: number;
  readonly usd: number | null;
  readonly usd_known: number;
  readonly calls_without_price: number;
  /** Reservations for calls of unknown price, counted against the budget. */
  readonly usd_reserved: number;
  readonly tokens: number | null;
  readonly tokens_known: number;
  readonly calls_without_tokens: number;
  readonly minutes: number;
}

/** Usage of one part of a task's budget since the task began. */
export interface BudgetUse {
  readonly of: 'usd' | 'tokens' | 'minutes';
  /** Null where it is not fully known. */
  readonly used: number | null;
  readonly at_least: number;
  readonly limit: number;
}

export interface TaskSpent extends About, UsedAmount {
  readonly budget: readonly BudgetUse[];
}

export interface DigestSpending {
  readonly together: UsedAmount;
  readonly tasks: readonly TaskSpent[];
  /** Usage of each of the user's ceilings over all repositories, in its period. */
  readonly ceilings: readonly CeilingUse[];
}

export interface WaitingItem extends About {
  /** The file of a contract that has not begun. */
  readonly file: string | null;
  readonly phrase: string;
  /** The reason, or how to end the wait; empty where the phrase says all. */
  readonly why: string;
  readonly since: string | null;
  readonly command: string | null;
}

export interface DataGap {
  readonly repository: string | null;
  readonly task_id: string | null;
  readonly what: string;
  readonly remedy: string | null;
}

/** Events between two moments, and the current state: only what code established, never an agent's claim. */
export interface Digest {
  readonly from: string;
  readonly to: string;
  readonly repositories: readonly Named[];
  readonly needs_you: readonly Need[];
  readonly merged: readonly MergedTask[];
  readonly sent_back: readonly SentBack[];
  /** Tasks of which no change was sent back, only answers that did not count. */
  readonly answers_refused: readonly SentBack[];
  readonly given_up: readonly GivenUp[];
  readonly spent: DigestSpending;
  /** Nights that were opened by hand, and how each went. */
  readonly nights: readonly NightReport[];
  readonly waits: readonly WaitingItem[];
  readonly not_known: readonly DataGap[];
}
