import { describe, expect, it } from 'vitest';
import { stalled } from '../../../../src/line/breakers/stalled.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aRecord, withLimits, pathsOf } from '../../../support/records.ts';

type Strike = TaskRecord['strikes'][number];
const strike = (kind: string, why = 'silence'): Strike => ({ station: 'implementer', kind, why });
const struck = (strikes: readonly Strike[], maxStalls: number, changes: Partial<TaskRecord> = {}): TaskRecord =>
  aRecord({
    strikes,
    stalls: strikes.filter(({ kind }) => kind === 'stall').length,
    contract: withLimits({ maxStalls }),
    ...changes,
  });
const withTries = (record: TaskRecord, stallTries: number): TaskRecord => ({
  ...record,
  grants: { ...record.grants, stallTries },
});
const refusals = (refusedAnswers: number, wants?: 'forbidden deletion' | 'shortened file'): TaskRecord =>
  aRecord({
    refusedAnswers,
    lastFacts: {
      strike: { station: 'implementer', kind: 'refused', why: 'the file was shortened', ...(wants && { wants }) },
    },
  });

describe('the stall breaker', () => {
  it.each([
    ['no strike', struck([], 0), false],
    ['the first stall of a 1.0 contract', struck([strike('stall')], 0), true],
    ['the first stall of a 2.0 contract', struck([strike('stall')], 1), false],
    ['the second stall of a 2.0 contract', struck([strike('stall'), strike('stall')], 1), true],
    ['the first crash', struck([strike('crash')], 0), false],
    ['a second crash', struck([strike('crash'), strike('crash')], 0), true],
    ['an empty answer after an unreadable one', struck([strike('unreadable'), strike('empty')], 0), true],
    ['a second crash, and a try was granted', withTries(struck([strike('crash'), strike('crash')], 0), 1), false],
    ['a stall, and a try was granted', withTries(struck([strike('stall')], 0), 1), false],
    ['three refused answers', refusals(3), false],
    ['a fourth refused answer', refusals(4), true],
    ['a fourth refused answer, and a try was granted', withTries(refusals(4), 1), false],
    ['a fourth refused answer that has a name of its own', refusals(4, 'forbidden deletion'), false],
    ['a fourth answer that shortens a file', refusals(4, 'shortened file'), false],
    ['four refusals, but the last answer was fine', { ...refusals(4), lastFacts: {} }, false],
  ])('%s', (_, record, trips) => {
    expect(stalled.check(record) !== undefined).toBe(trips);
  });

  it('says what happened each time', () => {
    const trip = stalled.check(struck([strike('crash', 'exit 1'), strike('empty', 'nothing')], 0));
    expect(trip?.reason).toBe('implementer: 2 failures in a row, the last: nothing');
    expect(trip?.sides.map(({ says }) => says)).toEqual(['crash: exit 1', 'empty: nothing']);
  });

  it('offers one more try at the same station, or one with twice the time after a silence', () => {
    const record = struck([strike('stall')], 0, { status: 'pending_local_review' });
    const [again, longer] = pathsOf(stalled, record);
    expect(again.effect).toEqual({ to: 'pending_local_review', stallTries: 1 });
    expect(longer.effect).toEqual({ to: 'pending_local_review', stallTries: 1, timeoutMinutes: 10 });
    const granted = { ...record, grants: { ...record.grants, timeoutMinutes: 10 } };
    expect(pathsOf(stalled, granted)[1].effect.timeoutMinutes).toBe(20);
  });

  it('says what twice the time is, of silence and of a whole call', () => {
    const [, longer] = pathsOf(stalled, struck([strike('stall', 'still running at the hard limit')], 0));
    expect(longer.does).toContain('may be silent for 20 minutes instead of 10, and work for 120 instead of 60');
    const [, named] = pathsOf(
      stalled,
      aRecord({ ...struck([strike('stall')], 0), contract: withLimits({ hardLimitMinutes: 15 }) }),
    );
    expect(named.does).toContain('and work for 25 instead of 15');
  });

  it.each([1, 2])('counts an end at the hard limit as one stall, and says which it was: %i', (stalls) => {
    const ends = Array.from({ length: stalls }, () => strike('stall', 'still running at the hard limit'));
    const reason = stalled.check(struck(ends, 1))?.reason;
    expect(reason).toBe(
      stalls === 1 ? undefined : 'implementer: still running at the hard limit (stalled 2 times; 1 retry is allowed)',
    );
  });

  it('offers one more try or the end after failures that more time would not mend', () => {
    const record = struck([strike('crash'), strike('crash')], 0);
    expect(pathsOf(stalled, record)[1].effect).toEqual({ to: 'abandoned' });
  });
});
