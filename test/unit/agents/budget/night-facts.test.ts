import { describe, expect, it } from 'vitest';
import type { NightRun } from '../../../../src/agents/ledger.ts';
import { findEarlyEnd, reportNights, formatNightReport } from '../../../../src/agents/budget/night-facts.ts';

const [FROM, TO] = ['2026-01-16T12:00:00.000Z', '2026-01-17T12:00:00.000Z'];
const at = (time: string): string => `2026-01-${time < '12' ? 17 : 16}T${time}:00.000Z`;
const opened = (changes: Partial<NightRun> = {}): NightRun => ({
  id: 1,
  from: at('22:00'),
  until: at('07:00'),
  usd: null,
  tokens: null,
  owner: { pid: 1, startTime: '', boot: '' },
  ended: null,
  how: null,
  ...changes,
});
const told = (night: NightRun, to = TO, isDead = false) => reportNights({ nights: [night], isDead }, FROM, to);

describe('a night that was opened', () => {
  it('is over when its time has come', () => {
    expect(told(opened())).toEqual([{ from: at('22:00'), until: at('07:00'), went: 'over', what: null }]);
  });

  it('was cut short when it was ended early, or its andon broke off', () => {
    const ended = at('03:00');
    expect(told(opened({ ended, how: 'stopped' }))).toMatchObject([
      { went: 'cut short', what: `it was ended early at ${ended}` },
    ]);
    expect(told(opened({ ended, how: 'broke off' }))).toMatchObject([{ what: `its andon broke off at ${ended}` }]);
  });

  it('is under way while it lasts, and cut short when its andon died', () => {
    expect(told(opened(), at('23:00'))).toMatchObject([{ went: 'under way', what: null }]);
    expect(told(opened(), at('23:00'), true)).toMatchObject([{ went: 'cut short', what: 'no andon is alive in it' }]);
  });

  it('is not told in a digest of another time, and of many the newest five are', () => {
    expect(reportNights({ nights: [opened()], isDead: false }, TO, '2026-01-18T12:00:00.000Z')).toEqual([]);
    const nights = Array.from({ length: 7 }, (_, id) => opened({ id, from: at(`22:0${id}`) }));
    expect(reportNights({ nights, isDead: false }, FROM, TO).map(({ from }) => from)).toEqual(
      [2, 3, 4, 5, 6].map((id) => at(`22:0${id}`)),
    );
  });

  it('is told in words', () => {
    const [night] = told(opened());
    expect(night === undefined ? '' : formatNightReport(night, (one) => one.slice(11, 16))).toBe(
      'the night from 22:00 to 07:00: over',
    );
  });
});

describe('a night that a signal ends', () => {
  const until = at('07:00');

  it('ended early before its end alone', () => {
    expect(findEarlyEnd('stopped', { now: at('06:59'), until })).toEqual({ at: at('06:59'), how: 'stopped' });
    expect(findEarlyEnd('stopped', { now: until, until })).toBeUndefined();
    expect(findEarlyEnd('broke off', { now: at('07:01'), until })).toBeUndefined();
    expect(findEarlyEnd(undefined, { now: at('06:59'), until })).toBeUndefined();
  });
});
