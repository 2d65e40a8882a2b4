import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import type { Hours } from '../../../../src/project/config/night-settings.ts';
import {
  mayBegin,
  openSpans,
  findLocalMoment,
  findNextMoment,
  findPeriod,
} from '../../../../src/agents/budget/hours.ts';
import * as fc from '../../../support/properties.ts';

const usual = process.env['TZ'];
afterAll(() => {
  if (usual === undefined) Reflect.deleteProperty(process.env, 'TZ');
  else process.env['TZ'] = usual;
});

/** What a user wrote, read as andon reads it. */
function hours(text: string): Hours {
  const read = readSettings({ name: 'project', text: undefined }, { name: 'config.yaml', text }, '/project');
  if (!read.ok) throw new Error(read.why.join('\n'));
  return read.value.hours;
}

const NIGHTS = 'hours: {open: ["22:00-07:00"]}';
const at = (text: string): string => new Date(text).toISOString();
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Zones whose clocks are put on or back by an hour, by half an hour, at midnight, or never. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata'];

describe('hours that nobody set', () => {
  it('are always open, also for what takes a month', () => {
    expect(mayBegin(hours(''), at('2026-01-16T12:00:00Z'), 60 * 24 * 30)).toEqual({ may: true });
  });
});

describe('hours from 22:00 to 07:00 in Berlin', () => {
  const open = hours(NIGHTS);

  it('are closed at noon, and open at ten in the evening', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(mayBegin(open, at('2026-01-16T12:00'), 30)).toEqual({
      may: false,
      because: 'closed',
      closes: undefined,
      opens: at('2026-01-16T22:00'),
    });
    expect(mayBegin(open, at('2026-01-16T22:00'), 30)).toEqual({ may: true });
  });

  it('are still open in the morning, for what can be over by seven', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(mayBegin(open, at('2026-01-17T06:30'), 30)).toEqual({ may: true });
    expect(mayBegin(open, at('2026-01-17T06:31'), 30)).toEqual({
      may: false,
      because: 'too late',
      closes: at('2026-01-17T07:00'),
      opens: at('2026-01-17T22:00'),
    });
  });

  it('never let begin what takes longer than a night', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(mayBegin(open, at('2026-01-16T23:00'), 9 * 60 + 1)).toMatchObject({ may: false, opens: undefined });
  });

  it.each([
    ['ends an hour of sleep earlier when clocks are put on', '2026-03-28T22:00', 8],
    ['is an hour longer when clocks are put back', '2026-10-24T22:00', 10],
    ['is nine hours else', '2026-10-25T22:00', 9],
  ])('%s', (_title, begins, length) => {
    process.env['TZ'] = 'Europe/Berlin';
    const from = Date.parse(at(begins));
    const [span] = openSpans(open, from, from + 20 * 3_600_000);
    expect(span).toEqual({ from, to: from + length * 3_600_000 });
  });
});

describe('hours of several windows', () => {
  it('are open from Friday evening to Monday morning, without a gap at midnight', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const week = hours('hours: {open: ["Mon-Fri 20:00-06:00", "Sat,Sun 00:00-24:00", "Sun 22:00-06:00"]}');
    const from = Date.parse(at('2026-01-16T12:00')); // a Friday
    expect(openSpans(week, from, from + 3 * 86_400_000)[0]).toEqual({
      from: Date.parse(at('2026-01-16T20:00')),
      to: Date.parse(at('2026-01-19T06:00')),
    });
  });

  it('are closed where they are said to be, whatever else is open', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const week = hours('hours: {closed: ["Mon-Fri 09:00-17:00"]}');
    expect(mayBegin(week, at('2026-01-16T10:00'), 1)).toMatchObject({ may: false, opens: at('2026-01-16T17:00') });
    expect(mayBegin(week, at('2026-01-17T10:00'), 1)).toEqual({ may: true });
  });

  it('may go over the end of the week', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const week = hours('hours: {open: ["Sat-Mon 10:00-11:00"]}');
    expect(week.open[0]?.days.toSorted()).toEqual([0, 1, 6]);
  });
});

describe('a time that the clock leaves out or shows twice', () => {
  it('is the moment at which it is put on', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const day = new Date('2026-03-29T12:00');
    expect(new Date(findLocalMoment(day, 0, 150)).toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(new Date(findLocalMoment(day, 0, 120)).toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(new Date(findLocalMoment(day, 0, 180)).toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(new Date(findLocalMoment(day, 0, 119)).toISOString()).toBe('2026-03-29T00:59:00.000Z');
  });

  it('keeps closed what is closed from a time that is left out', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const early = hours('hours: {closed: ["Sun 02:30-05:00"]}');
    expect(mayBegin(early, '2026-03-29T01:10:00.000Z', 1)).toMatchObject({
      may: false,
      opens: '2026-03-29T03:00:00.000Z',
    });
  });

  it('is the first of the two', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(new Date(findLocalMoment(new Date('2026-10-25T12:00'), 0, 150)).toISOString()).toBe(
      '2026-10-25T00:30:00.000Z',
    );
  });

  it('where the clock is put on at midnight, the day begins when it does', () => {
    process.env['TZ'] = 'America/Santiago';
    expect(new Date(findLocalMoment(new Date('2026-09-06T12:00'), 0, 0)).toISOString()).toBe(
      '2026-09-06T04:00:00.000Z',
    );
  });
});

const aZone = fc.constantFrom(...ZONES);
const aMoment = fc
  .integer({ min: Date.parse('2026-01-01T00:00:00Z') / 60_000, max: Date.parse('2027-12-31T00:00:00Z') / 60_000 })
  .map((minute) => minute * 60_000);
const aTime = fc.integer({ min: 0, max: 1439 });
const shown = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const aWindow = fc
  .record({ days: fc.subarray(DAYS), begins: aTime, ends: fc.integer({ min: 0, max: 1440 }) })
  .filter(({ begins, ends }) => begins !== ends)
  .map(({ days, begins, ends }) => `${days.length === 0 ? '' : `${days.join(',')} `}${shown(begins)}-${shown(ends)}`);
const someHours = fc
  .record({ open: fc.array(aWindow, { maxLength: 4 }), closed: fc.array(aWindow, { maxLength: 2 }) })
  .map((written) => hours(JSON.stringify({ hours: written })));

describe('whatever the hours, the zone and the moment', () => {
  it('the local moment of every minute comes in order, and shows that minute where the clock shows it at all', () => {
    fc.assert(
      fc.property(aZone, aMoment, aTime, aTime, (zone, moment, one, two) => {
        process.env['TZ'] = zone;
        const day = new Date(moment);
        const [first, second] = [one, two].toSorted((a, b) => a - b).map((minute) => findLocalMoment(day, 0, minute));
        expect(first).toBeLessThanOrEqual(second ?? 0);
        const then = new Date(findLocalMoment(day, 0, one));
        const minute = then.getHours() * 60 + then.getMinutes();
        // Left out by the clock: then it is the moment after it, and the one before shows an earlier time.
        if (minute !== one) {
          const before = new Date(then.getTime() - 60_000);
          expect(minute).toBeGreaterThan(one);
          expect((before.getHours() * 60 + before.getMinutes() + 1) % 1440).toBeLessThanOrEqual(one);
        }
      }),
    );
  });

  it('spans are in order and apart, and what is open by the wall clock on a day without a change is in one of them', () => {
    fc.assert(
      fc.property(aZone, aMoment, aWindow, (zone, moment, window) => {
        process.env['TZ'] = zone;
        const only = hours(JSON.stringify({ hours: { open: [window] } }));
        const [one] = only.open;
        const spans = openSpans(only, moment, moment + 3 * 86_400_000);
        for (const [index, span] of spans.entries()) {
          expect(span.from).toBeLessThan(span.to);
          expect(span.from).toBeGreaterThan(spans[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
        }
        const then = new Date(moment + 86_400_000);
        const offsets = [-2, -1, 0, 1, 2].map((days) =>
          new Date(then.getTime() + days * 86_400_000).getTimezoneOffset(),
        );
        if (new Set(offsets).size > 1 || one === undefined) return;
        const minute = then.getHours() * 60 + then.getMinutes();
        const [today, yesterday] = [then.getDay(), (then.getDay() + 6) % 7];
        const isOver = one.ends <= one.begins;
        const isOpen =
          (one.days.includes(today) && minute >= one.begins && (isOver || minute < one.ends)) ||
          (isOver && one.days.includes(yesterday) && minute < one.ends);
        expect(spans.some(({ from, to }) => from <= then.getTime() && then.getTime() < to)).toBe(isOpen);
      }),
    );
  });

  it('what may begin is over before they close, and what must wait may begin when it was promised', () => {
    fc.assert(
      fc.property(aZone, aMoment, someHours, fc.integer({ min: 1, max: 600 }), (zone, moment, open, minutes) => {
        process.env['TZ'] = zone;
        const may = mayBegin(open, new Date(moment).toISOString(), minutes);
        const isWhole = (from: number): boolean =>
          openSpans(open, from, from + minutes * 60_000).some((span) => span.to - span.from === minutes * 60_000);
        expect(may.may).toBe(isWhole(moment));
        if (may.may || may.opens === undefined) return;
        expect(may.opens > new Date(moment).toISOString()).toBe(true);
        expect(mayBegin(open, may.opens, minutes)).toEqual({ may: true });
      }),
    );
  });

  it('nights, days and months follow each other without a gap, and each holds its moments', () => {
    fc.assert(
      fc.property(aZone, aMoment, fc.constantFrom('night', 'day', 'month'), (zone, moment, name) => {
        process.env['TZ'] = zone;
        const now = new Date(moment).toISOString();
        const period = findPeriod(name, now);
        expect(period.from <= now && now < period.to).toBe(true);
        expect(findPeriod(name, period.to).from).toBe(period.to);
        expect(findPeriod(name, period.from)).toEqual(period);
      }),
    );
  });

  it('the next moment of a time of day is later, and within two days', () => {
    fc.assert(
      fc.property(aZone, aMoment, aTime, (zone, moment, minute) => {
        process.env['TZ'] = zone;
        const next = Date.parse(findNextMoment(minute, new Date(moment).toISOString()));
        expect(next).toBeGreaterThan(moment);
        expect(next - moment).toBeLessThanOrEqual(25 * 3_600_000);
      }),
    );
  });
});

describe('hours that cannot be meant', () => {
  it.each(['25:00-07:00', 'Mo 22:00-07:00', '22:00-22:00', 'Mon-Fri', '07:00', 'Mon 22:00 - 07:00', ''])(
    '%j are refused',
    (text) => {
      const user = { name: 'config.yaml', text: JSON.stringify({ hours: { open: [text] } }) };
      const read = readSettings({ name: 'project', text: undefined }, user, '/project');
      expect(read).toEqual({ ok: false, why: expect.arrayContaining([expect.stringContaining('hours.open.0')]) });
    },
  );

  it('are not taken from a repository', () => {
    const read = readSettings({ name: 'p', text: NIGHTS }, { name: 'config.yaml', text: undefined }, '/project');
    expect(read).toMatchObject({
      ok: true,
      value: { hours: { open: [] }, notices: [expect.stringContaining('`hours`')] },
    });
  });
});
