import type { Change } from '../record/change.ts';
import type { LineRecord, Rejected } from '../record/line-record.ts';

/** The state that a new change, or its loss, invalidates. */
export const NO_REVIEWS = {
  gates: undefined,
  bending: undefined,
  reviews: [],
  panel: undefined,
  askedAnew: undefined,
  rebuttal: [],
} as const satisfies Partial<LineRecord>;

/** Remembers a rejected change to detect its return. */
export const rememberDiscarded = (
  record: LineRecord,
  { attempt, commit, tree, print }: Change,
  by: Rejected['by'],
  why: string,
): LineRecord => ({ ...record, rejected: [...record.rejected, { attempt, commit, tree, print, by, why }] });
