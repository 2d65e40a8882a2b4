import type { StationId } from '../../base/names.ts';
import type { Night } from '../digest/night.ts';

/** Durations of calls by model and station, in milliseconds. */
export interface Usual {
  readonly station: StationId;
  readonly model: string;
  readonly ms: number;
}

/** A repository at its last successful read. */
export interface Looked {
  readonly id: string;
  readonly night: Night;
  readonly at: string;
  /** Why it is unreadable now; undefined where it was just read. */
  readonly unknown: string | undefined;
  readonly history: readonly Usual[];
}
