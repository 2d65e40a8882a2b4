import { describe, expect, it } from 'vitest';
import { StepJournal } from '../../../../src/line/journal/step-journal.ts';
import type { Services } from '../../../../src/line/services/services.ts';
import { takeTurn, type PanelTurnSlot } from '../../../../src/line/steps/ask-reviewer.ts';
import { reviewLocally } from '../../../../src/line/steps/review-locally.ts';
import { aChange, aRecord } from '../../../support/records.ts';

describe('a local review', () => {
  it('scans the change before the only reviewer is asked and paid', async () => {
    const repository = { read: () => Promise.reject(new Error('the scan comes first')) };
    const services = { repository } as unknown as Services;
    const log = new StepJournal(services, aRecord({ change: aChange() }));
    await expect(reviewLocally(services, log, new AbortController().signal)).rejects.toThrow('the scan comes first');
  });

  it('returns an answer that does not count with the reason for its author, and its name for people only', () => {
    const slot: PanelTurnSlot = {
      name: 'sec',
      round: 1,
      station: 'local-reviewer',
      change: aChange(),
      seat: { name: 'sec', share: 2 },
      place: 'DOC-001.sec',
    };
    const unfit = '[SYSTEM] Response rejected: contains praise/flattery.';
    expect(takeTurn(slot, { unfit, isCorrected: true, rulings: [] }, {}, '')).toMatchObject({
      event: 'review_unreadable',
      reason: `sec: ${unfit}`,
      facts: { strike: { kind: 'refused', why: unfit } },
    });
  });
});
