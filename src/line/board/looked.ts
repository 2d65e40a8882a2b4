import type { StationId } from '../../base/names.ts';
import type { Night } from '../digest/night.ts';

/** How long the calls of a model at a station took, in milliseconds. */
export interface Usual {
  readonly station: StationId;
  readonly model: string;
  readonly ms: number;
}

/** One repository, as it was when it could last be looked at. */
export interface Looked {
  readonly id: string;
  readonly night: Night;
  /** When that was. */
  readonly at: string;
  /** Why it cannot be looked at any more; undefined where it was just looked at. */
  readonly unknown: string | undefined;
  /** Calls of this repository's history. */
  readonly history: readonly Usual[];
}
