import { describe, expect, it } from 'vitest';
import type { Hold } from '../../../../src/line/record/task-record.ts';
import { computeNextTry } from '../../../../src/line/core/compute-next-try.ts';

const SINCE = '2026-01-16T12:00:00.000Z';
const PATIENCE = { leashHours: 24, retryMinutes: 1 };
const hold = (changes: Partial<Hold> = {}): Hold => ({
  station: 'judge',
  reason: 'claude: the session limit is reached',
  since: SINCE,
  at: SINCE,
  until: null,
  tries: 1,
  ...changes,
});

describe('a call that waits for its program', () => {
  it('is made again one minute after the time that the provider names', () => {
    expect(computeNextTry(hold({ until: '2026-01-16T15:00:00.000Z' }), PATIENCE)).toEqual({
      at: '2026-01-16T15:01:00.000Z',
    });
  });

  it.each([
    [1, '12:01'],
    [2, '12:02'],
    [3, '12:04'],
    [4, '12:08'],
    [5, '12:15'],
    [50, '12:15'],
  ])('after %i tries without a named time, is made again at %s', (tries, time) => {
    expect(computeNextTry(hold({ tries }), PATIENCE)).toEqual({ at: `2026-01-16T${time}:00.000Z` });
  });

  it('whose machine slept past the named time is made at a moment that is over, that is at once', () => {
    const slept = computeNextTry(hold({ until: '2026-01-16T13:00:00.000Z' }), { ...PATIENCE, retryMinutes: 10 });
    expect(slept).toEqual({ at: '2026-01-16T13:01:00.000Z' });
  });

  it('is made as the configuration says now, not as it said when the wait began', () => {
    expect(computeNextTry(hold(), { ...PATIENCE, retryMinutes: 30 })).toEqual({ at: '2026-01-16T12:30:00.000Z' });
    expect(computeNextTry(hold(), { ...PATIENCE, retryMinutes: 0.5 })).toEqual({ at: '2026-01-16T12:00:30.000Z' });
  });

  it('is not hammered when the named time is over and the program still refuses', () => {
    expect(computeNextTry(hold({ tries: 3, until: '2026-01-16T11:00:00.000Z' }), PATIENCE)).toEqual({
      at: '2026-01-16T12:04:00.000Z',
    });
  });

  it('is made at the very end of its leash, and no millisecond later', () => {
    const ends = hold({ until: '2026-01-17T11:59:00.000Z' });
    expect(computeNextTry(ends, PATIENCE)).toEqual({ at: '2026-01-17T12:00:00.000Z' });
    expect(computeNextTry(hold({ until: '2026-01-17T11:59:00.001Z' }), PATIENCE)).toEqual({
      tooLate: `claude: the session limit is reached (works again from 2026-01-17T11:59:00.001Z); andon waits 24 h at most (since ${SINCE})`,
    });
  });

  it('counts its leash from the first try, not from the last', () => {
    const late = hold({ tries: 90, at: '2026-01-17T11:50:00.000Z' });
    expect(computeNextTry(late, PATIENCE)).toHaveProperty('tooLate');
  });

  it('never waits when the leash is 0', () => {
    expect(computeNextTry(hold(), { leashHours: 0, retryMinutes: 1 })).toHaveProperty('tooLate');
  });
});
