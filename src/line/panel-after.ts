import type { Facts } from '../record/facts.ts';
import type { LineRecord } from '../record/line-record.ts';

/**
 * What a panel has said so far, and whom it asks anew: gone once it is settled. Where some are asked anew the second round
 * goes with what they said, because it speaks of the findings of the first by their numbers.
 */
export function panelAfter(
  { panel: before, askedAnew }: Pick<LineRecord, 'panel' | 'askedAnew'>,
  { panel, panelAgain, review, report }: Facts,
): Pick<LineRecord, 'panel' | 'askedAnew'> {
  if (review !== undefined || report !== undefined) return { panel: undefined, askedAnew: undefined };
  if (panelAgain !== undefined) {
    const isAskedAnew = (name: string): boolean => panelAgain.some(({ reviewer }) => reviewer === name);
    const kept = before?.filter(({ reviewer, round }) => round === 1 && !isAskedAnew(reviewer));
    return { panel: kept, askedAnew: panelAgain };
  }
  return { panel: panel === undefined ? before : [...(before ?? []), panel], askedAnew };
}
