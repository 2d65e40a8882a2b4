import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NightRun } from '../../../src/ports/ledger.ts';
import { nightsTold } from '../../../src/night/told.ts';
import type { Attended } from '../../../src/night/told.ts';

const usual = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'UTC';
});
afterAll(() => {
  if (usual === undefined) Reflect.deleteProperty(process.env, 'TZ');
  else process.env['TZ'] = usual;
});

const [FROM, TO] = ['2026-01-16T12:00:00.000Z', '2026-01-17T12:00:00.000Z'];
const NONE = { open: [], closed: [] };
const EVERY_NIGHT = { open: [{ days: [0, 1, 2, 3, 4, 5, 6], begins: 22 * 60, ends: 7 * 60 }], closed: [] };
const at = (time: string): string => `2026-01-${time < '12' ? 17 : 16}T${time}:00.000Z`;
const watched = (from: string, to: string, end: Attended['end'] = 'stopped'): Attended => ({
  from: at(from),
  to: at(to),
  end,
});
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
const told = (
  nights: readonly NightRun[],
  attended: readonly Attended[],
  hours: typeof NONE | typeof EVERY_NIGHT = NONE,
  to = TO,
) => nightsTold({ nights, hours, attended }, FROM, to);

describe('a night that was opened', () => {
  it('is whole when somebody watched all the time, also over a short restart', () => {
    expect(told([opened()], [watched('22:00', '02:00'), watched('02:05', '07:00')])).toMatchObject([
      { went: 'whole', what: null },
    ]);
  });

  it('was missed when nobody watched', () => {
    expect(told([opened()], [watched('13:00', '14:00')])).toMatchObject([{ went: 'missed', what: 'no andon watched' }]);
  });

  it('was cut short when whoever watched broke off', () => {
    expect(told([opened()], [watched('22:00', '03:10', 'broke off')])).toMatchObject([
      {
        went: 'cut short',
        what: 'no andon watched (the one before broke off) from 2026-01-17T03:10:00.000Z to 2026-01-17T07:00:00.000Z',
      },
    ]);
  });

  it('was slept through when the machine slept', () => {
    expect(told([opened()], [watched('22:00', '01:00', 'slept'), watched('05:30', '07:00')])).toMatchObject([
      {
        went: 'slept through',
        what: expect.stringContaining('from 2026-01-17T01:00:00.000Z to 2026-01-17T05:30:00.000Z'),
      },
    ]);
  });

  it('was cut short when somebody ended it', () => {
    const night = opened({ ended: at('03:00'), how: 'stopped' });
    expect(told([night], [watched('22:00', '03:00')])).toMatchObject([
      { went: 'cut short', what: 'somebody ended it at 2026-01-17T03:00:00.000Z' },
    ]);
  });

  it('is under way while it lasts', () => {
    expect(told([opened()], [watched('22:00', '23:00', 'runs')], NONE, at('23:00'))).toMatchObject([
      { went: 'under way' },
    ]);
  });
});

describe('a night of `hours`', () => {
  it('is told of only where something of it was missed', () => {
    expect(told([], [watched('21:00', '08:00')], EVERY_NIGHT)).toEqual([]);
    expect(told([], [], EVERY_NIGHT)).toMatchObject([
      { was: 'hours', from: at('22:00'), until: at('07:00'), went: 'missed' },
    ]);
  });

  it('is not told twice where it was opened by hand as well', () => {
    expect(told([opened()], [], EVERY_NIGHT)).toMatchObject([{ was: 'opened', went: 'missed' }]);
  });
});

describe('no night at all', () => {
  it('says nothing', () => {
    expect(told([], [])).toEqual([]);
  });
});
