import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { checkBreakers } from '../../../../src/line/breakers/index.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { aChange, aGateRun, aReport, aReview, admitted, called, moved, started } from '../../../support/records.ts';

const STORY: readonly JournalEntry[] = [
  admitted(),
  started({ station: 'implementer', call: 1 }),
  called({ station: 'implementer', call: 1 }),
  moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange(), gates: aGateRun() }),
  started({ station: 'local-reviewer', call: 2 }),
  called({ station: 'local-reviewer', call: 2 }),
  moved('local_pass', 'pending_local_review', 'pending_judge_review', { review: aReview() }),
  moved('review_started', 'pending_judge_review', 'review_in_progress'),
  started({ station: 'judge', call: 3 }),
  called({ station: 'judge', call: 3 }),
  moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() }),
];

/** The same story told by clocks that jump ten years ahead, then an hour back, entry by entry. */
const JUMPING = STORY.map((entry, index) => ({
  ...entry,
  at: ['2036-01-16T12:00:00.000Z', '2026-01-16T11:00:00.000Z', '1999-12-31T23:59:59.000Z'][index % 3] ?? '',
}));

describe('a clock that jumps', () => {
  it('changes nothing but the times that are shown: no breaker trips, and the order stays (case 25)', () => {
    const [steady, jumping] = [foldJournal(STORY), foldJournal(JUMPING)];
    if (steady === undefined || jumping === undefined) throw new Error('a story has a record');
    expect(withoutTimes(jumping)).toEqual(withoutTimes(steady));
    expect(jumping.status).toBe('review_complete');
    expect(checkBreakers(jumping)).toEqual(checkBreakers(steady));
    expect(checkBreakers(jumping)).toEqual([]);
  });
});

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (/^(?:at|createdAt|updatedAt)$/.test(key) ? 'then' : inner)),
  );
