import type { StationId } from '../../base/names.ts';
import type { NightFacts } from '../../agents/budget/night-facts.ts';
import type { HaltSummary } from '../halts/halt-summary.ts';
import type { BudgetUse, Need, SuggestedCommand } from '../digest/digest.ts';
import type { RepositoryNight } from '../digest/repository-night.ts';
import type { LineStation } from './line-station.ts';

/** Who must act: you; a worker; a person or event to wait for; or no one, after the end. */
export const BOARD_LANES = ['needs_you', 'working', 'waiting', 'ended'] as const;
export type BoardLane = (typeof BOARD_LANES)[number];

/** A need of the digest, work, a wait, a queued contract, or an end. */
type RowKind = Need['kind'] | 'working' | 'waits' | 'queued' | 'merged' | 'undone' | 'abandoned';

export interface Work {
  readonly station: StationId;
  readonly model: string;
  readonly since: string;
  /** Median milliseconds of this model at this station in this repository; null = no history. */
  readonly usually_ms: number | null;
}

export interface BoardRow {
  /** The same in every snapshot of an item. */
  readonly key: string;
  readonly lane: BoardLane;
  readonly kind: RowKind;
  /** Its repository: id, name and path. */
  readonly repository: string;
  readonly name: string;
  readonly root: string;
  readonly task_id: string | null;
  /** What people call it: the contract's title, else its first requirement; without a task, what it is. */
  readonly title: string;
  /** Its state in a person's words, on every surface. */
  readonly phrase: string;
  /** The contract's first requirement; null = none. */
  readonly wanted: string | null;
  readonly why: string;
  readonly since: string | null;
  /** The time of the snapshot that this row is from. */
  readonly as_of: string;
  /** Why the snapshot is stale; null = it is current. */
  readonly unknown: string | null;
  readonly halt_id: string | null;
  /** What a halt asks, and what is suggested; null where it is none. */
  readonly halt: Omit<HaltSummary, 'paths'> | null;
  /** The command to type. */
  readonly ways: readonly SuggestedCommand[];
  /** Both paths of a halt, as in its prompt. */
  readonly paths: HaltSummary['paths'];
  readonly work: Work | null;
  readonly attempt: number | null;
  readonly budget: readonly BudgetUse[];
  /** Dollars that the task has used; null = unknown, or it has not begun. */
  readonly cost_usd: number | null;
  /** For a contract that has not begun: its file, and in the queue its position from 1. */
  readonly file: string | null;
  readonly place: number | null;
  /** The tasks that keep it from beginning. */
  readonly blocked_by: readonly string[];
  /** What a person must take away for the line to go on: a file STOP, or a pause. */
  readonly held_by: 'stop' | 'pause' | null;
  /** Where on the line it is; null = it has not begun, or has left the line without a merge. */
  readonly station: LineStation | null;
}

export interface BoardRepository {
  /** The name of its state folder, constant while the repository stays in place. */
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly watched: 'watched' | 'not watched' | 'unknown';
  readonly paused: boolean;
  /** Since when; null = it is not paused. */
  readonly paused_at: string | null;
  readonly as_of: string;
  readonly unknown: string | null;
}

/** The lanes of every readable repository; each count is the number of its rows. */
export interface Board {
  readonly at: string;
  readonly repositories: readonly BoardRepository[];
  /** The user's hours, night and ceilings, over all repositories; null without any. */
  readonly limits: NightFacts | null;
  readonly lanes: Readonly<Record<BoardLane, readonly BoardRow[]>>;
  /** The unreadable repositories, in words. */
  readonly not_known: readonly { readonly repository: string; readonly what: string; readonly remedy: string | null }[];
}

/** Durations of calls by model and station, in milliseconds. */
export interface Usual {
  readonly station: StationId;
  readonly model: string;
  readonly ms: number;
}

/** A repository at its last successful read. */
export interface RepositorySnapshot {
  readonly id: string;
  readonly night: RepositoryNight;
  readonly at: string;
  /** Why it is unreadable now; undefined where it was just read. */
  readonly unknown: string | undefined;
  readonly history: readonly Usual[];
}

/** Rows of one cause, answered together; most groups have one row. */
export interface NeedGroup {
  readonly key: string;
  readonly rows: readonly [BoardRow, ...BoardRow[]];
}

/** Halts of one cause in one repository as one group, at the place of the first. */
export const groupNeeds = (rows: readonly BoardRow[]): readonly NeedGroup[] =>
  [...Map.groupBy(rows, groupOf)].flatMap(([key, [first, ...more]]) =>
    first === undefined ? [] : [{ key: more.length === 0 ? first.key : key, rows: [first, ...more] }],
  );

const groupOf = ({ key, repository, halt }: BoardRow): string =>
  halt?.cause == null ? key : `${repository} ${halt.cause}`;

/** Whether a row holds every word that is looked for: in its id, title, repository, cause or file. */
export function matchesSearch(row: BoardRow, sought: string): boolean {
  const { task_id: id, title, wanted, name, phrase, file, halt } = row;
  return holdsEveryWord([id, title, wanted, name, phrase, file, halt?.breaker].join(' '), sought);
}

/** Whether a text holds every word that is looked for, in any case and order. */
export function holdsEveryWord(searched: string, sought: string): boolean {
  const text = searched.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
