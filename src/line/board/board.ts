import type { Ceiling, Need, Way } from '../digest/digest.ts';

/** Who must act: you, somebody at work, somebody or something that is waited for; or nobody any more. */
export const LANES = ['needs_you', 'working', 'waiting', 'ended'] as const;
export type Lane = (typeof LANES)[number];

/** What a row is about: a need of the digest, work, a wait, a contract in the queue, an end. */
export type RowKind = Need['kind'] | 'working' | 'waits' | 'queued' | 'merged' | 'undone' | 'abandoned';

/** Who works on a row, and for how long that usually takes. */
export interface Work {
  readonly station: string;
  readonly model: string;
  readonly since: string;
  /** Milliseconds that this model took at this station: the median of this repository's own calls; null = no history. */
  readonly usually_ms: number | null;
}

/** One thing that somebody has to do, does, waits for, or has done. */
export interface BoardRow {
  /** The same in every look at the same thing. */
  readonly key: string;
  readonly lane: Lane;
  readonly kind: RowKind;
  /** Of its repository: the id, what it is called, where it lies. */
  readonly repository: string;
  readonly name: string;
  readonly root: string;
  readonly task_id: string | null;
  /** What the contract wants first, in its own words; null where there is none. */
  readonly wanted: string | null;
  readonly what: string;
  readonly why: string;
  readonly since: string | null;
  /** When it was looked at: a row says what was so then, and nothing about later. */
  readonly as_of: string;
  /** Why nobody can say whether it still is so; null where it was looked at just now. */
  readonly unknown: string | null;
  readonly halt_id: string | null;
  /** What to type. */
  readonly ways: readonly Way[];
  /** Both paths of a halt, as they are asked for. */
  readonly paths: readonly PathShown[];
  readonly work: Work | null;
  readonly attempt: number | null;
  readonly ceilings: readonly Ceiling[];
  /** Of a contract in the queue: its file, and its number in the order, from 1. */
  readonly file: string | null;
  readonly place: number | null;
}

/** One of the two paths of a halt, and what it asks of who takes it. */
interface PathShown {
  readonly title: string;
  readonly does: string;
  readonly typed: boolean;
  readonly reasoned: boolean;
}

/** A repository on the board. */
export interface BoardRepository {
  /** The name of its state folder, which is the same as long as it lies where it lies. */
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly watched: 'watched' | 'not watched' | 'unknown';
  readonly paused: boolean;
  readonly as_of: string;
  readonly unknown: string | null;
}

/** What needs you, works, waits and has ended, in every repository that was looked at; each count is that of its rows. */
export interface Board {
  readonly at: string;
  readonly repositories: readonly BoardRepository[];
  readonly lanes: Readonly<Record<Lane, readonly BoardRow[]>>;
  /** What could not be looked at, in words. */
  readonly not_known: readonly { readonly repository: string; readonly what: string; readonly remedy: string | null }[];
}
