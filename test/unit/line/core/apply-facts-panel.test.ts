import { describe, expect, test } from 'vitest';
import { updatePanel } from '../../../../src/line/core/apply-facts.ts';
import type { PanelTurn } from '../../../../src/line/record/review.ts';
import { aReport, aReview } from '../../../support/records.ts';

const turn = (reviewer: string, round: 1 | 2, noVote?: string): PanelTurn => ({
  reviewer,
  round,
  tree: 't',
  ...(noVote === undefined ? { verdict: 'PASS', findings: [] } : { noVote }),
});
const heard = [turn('sec', 1), turn('qa', 1, 'crash: 1'), turn('sec', 2)];
const nobody = { panel: undefined, askedAnew: undefined };

describe('what a panel has said so far', () => {
  test('grows by each who is heard', () => {
    expect(updatePanel({ panel: heard.slice(0, 1) }, { panel: turn('qa', 1) }).panel).toHaveLength(2);
  });

  test('keeps the first round of those who have a vote, and tells the others why they are asked anew', () => {
    const again = [{ reviewer: 'qa', why: 'crash: 1' }];
    expect(updatePanel({ panel: heard }, { panelAgain: again })).toEqual({ panel: [turn('sec', 1)], askedAnew: again });
    const next = updatePanel({ panel: [turn('sec', 1)], askedAnew: again }, { panel: turn('qa', 1) });
    expect(next.askedAnew).toEqual(again);
  });

  test('is gone once it is settled, at the local review and at the judge', () => {
    expect(updatePanel({ panel: heard }, { review: aReview() })).toEqual(nobody);
    expect(updatePanel({ panel: heard }, { report: aReport() })).toEqual(nobody);
  });
});
