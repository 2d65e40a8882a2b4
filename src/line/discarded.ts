import type { Change } from '../record/change.ts';
import type { LineRecord, Rejected } from '../record/line-record.ts';

/** What was said about a change, once there is another one or none: all of it is void. */
export const NOTHING_SAID = {
  gates: undefined,
  bending: undefined,
  reviews: [],
  panel: undefined,
  askedAnew: undefined,
  rebuttal: [],
} as const satisfies Partial<LineRecord>;

/** Remembers a change that was turned down, so that it is known when it comes back. */
export const remembered = (
  record: LineRecord,
  { attempt, commit, tree, print }: Change,
  by: Rejected['by'],
  why: string,
): LineRecord => ({ ...record, rejected: [...record.rejected, { attempt, commit, tree, print, by, why }] });
