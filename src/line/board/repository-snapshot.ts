import type { StationId } from '../../base/names.ts';
import type { RepositoryNight } from '../digest/repository-night.ts';

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
