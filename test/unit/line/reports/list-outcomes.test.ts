import { describe, expect, it } from 'vitest';
import { listOutcomes } from '../../../../src/line/reports/list-outcomes.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { aHalt, admitted, moved, started } from '../../../support/records.ts';

const on = (day: number) => ({ at: `2026-01-${day}T23:59:59.000Z` });
const BEGUN: readonly JournalEntry[] = [admitted(on(10)), started({ ...on(10), call: 1 })];
const HALTED: JournalEntry = {
  ...moved('judge_complete', 'review_in_progress', 'erik_consultation', { halt: aHalt() }),
  ...on(11),
};
const MERGED: JournalEntry = {
  ...moved('pass', 'review_complete', 'merged', {
    merge: { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' },
  }),
  ...on(12),
};

describe('the outcomes of a task', () => {
  it('are its halts and its merge, each on its day', () => {
    expect(listOutcomes([...BEGUN, HALTED, MERGED])).toEqual([
      { day: '2026-01-11', breaker: 'rebuttal_limit', isFirstPass: false },
      { day: '2026-01-12', breaker: null, isFirstPass: true },
    ]);
  });

  it('count a merge as a first pass only after one attempt that was not cut off', () => {
    const again = started({ ...on(11), call: 2 });
    const cut: JournalEntry = { kind: 'interrupted', ...on(11), station: 'implementer', call: 1, usd: null };
    const isFirst = (...between: readonly JournalEntry[]): boolean | undefined =>
      listOutcomes([...BEGUN, ...between, MERGED])[0]?.isFirstPass;
    expect([isFirst(again), isFirst(cut, again), isFirst(cut, again, started({ ...on(11), call: 3 }))]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('leave out a merge that was undone, and a task under way', () => {
    expect(listOutcomes([...BEGUN, MERGED, { kind: 'undone', ...on(13), commit: '8'.repeat(40), by: 'me' }])).toEqual(
      [],
    );
    expect(listOutcomes(BEGUN)).toEqual([]);
  });
});
