import type { Facts } from '../record/facts.ts';
import type { LineRecord } from '../record/line-record.ts';

/**
 * What a panel has said so far: gone once it is settled. Where some are asked anew the second round goes with what they
 * said, because it speaks of the findings of the first by their numbers.
 */
export function panelAfter(
  before: LineRecord['panel'],
  { panel, panelAgain, review, report }: Facts,
): LineRecord['panel'] {
  if (review !== undefined || report !== undefined) return undefined;
  if (panelAgain !== undefined)
    return before?.filter(({ reviewer, round }) => round === 1 && !panelAgain.includes(reviewer));
  return panel === undefined ? before : [...(before ?? []), panel];
}
