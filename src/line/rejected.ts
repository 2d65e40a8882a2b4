import type { Change } from '../record/change.ts';
import type { LineRecord, Rejected } from '../record/line-record.ts';

/** Remembers a change that was turned down, so that it is known when it comes back. */
export const remembered = (
  record: LineRecord,
  { attempt, commit, tree, print }: Change,
  by: Rejected['by'],
  why: string,
): LineRecord => ({ ...record, rejected: [...record.rejected, { attempt, commit, tree, print, by, why }] });
