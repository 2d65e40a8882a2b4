import { afterAll, describe, expect, it } from 'vitest';
import { computeDue, isLate } from '../../../../src/line/digest/compute-due.ts';

const usual = process.env['TZ'];
afterAll(() => {
  if (usual === undefined) Reflect.deleteProperty(process.env, 'TZ');
  else process.env['TZ'] = usual;
});

/** Every digest that is told where somebody looks every so many minutes from one moment to another. */
function toldBetween(zone: string, minute: number, from: string, to: string, every = 7): readonly string[] {
  process.env['TZ'] = zone;
  const told: string[] = [];
  let last = computeDue(minute, from).day;
  for (let at = Date.parse(from); at <= Date.parse(to); at += every * 60_000) {
    const { day } = computeDue(minute, new Date(at).toISOString());
    if (day > last) told.push(day);
    if (day > last) last = day;
  }
  return told;
}

describe('a digest at 07:00', () => {
  const SEVEN = 7 * 60;

  it('was due this morning from 07:00 on, and yesterday before', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(computeDue(SEVEN, '2026-01-16T05:59:59.000Z')).toEqual({
      day: '2026-01-15',
      at: '2026-01-15T06:00:00.000Z',
      next: '2026-01-16T06:00:00.000Z',
    });
    expect(computeDue(SEVEN, '2026-01-16T06:00:00.000Z')).toEqual({
      day: '2026-01-16',
      at: '2026-01-16T06:00:00.000Z',
      next: '2026-01-17T06:00:00.000Z',
    });
  });

  it('stays at 07:00 when the clocks change', () => {
    process.env['TZ'] = 'Europe/Berlin';
    expect(computeDue(SEVEN, '2026-03-28T12:00:00.000Z').next).toBe('2026-03-29T05:00:00.000Z'); // 23 hours later
    expect(computeDue(SEVEN, '2026-10-24T12:00:00.000Z').next).toBe('2026-10-25T06:00:00.000Z'); // 25 hours later
  });

  it.each([
    ['Europe/Berlin', '2026-03-26T12:00:00.000Z', '2026-03-31T12:00:00.000Z', ['27', '28', '29', '30', '31']],
    ['Europe/Berlin', '2026-10-23T12:00:00.000Z', '2026-10-27T12:00:00.000Z', ['24', '25', '26', '27']],
    ['America/New_York', '2026-10-30T20:00:00.000Z', '2026-11-03T20:00:00.000Z', ['31', '01', '02', '03']],
    ['Australia/Lord_Howe', '2026-04-03T00:00:00.000Z', '2026-04-07T00:00:00.000Z', ['04', '05', '06', '07']],
  ])('is told once a day in %s from %s', (zone, from, to, days) => {
    for (const minute of [0, 30, 90, 150, SEVEN, 23 * 60 + 59])
      expect([minute, toldBetween(zone, minute, from, to).length]).toEqual([minute, days.length]);
    expect(toldBetween(zone, SEVEN, from, to).map((day) => day.slice(8))).toEqual(days);
  });

  it('is told although the clock leaves out its time that day, right after, and once where the clock shows it twice', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const HALF_PAST_TWO = 150;
    expect(computeDue(HALF_PAST_TWO, '2026-03-29T12:00:00.000Z')).toMatchObject({
      day: '2026-03-29',
      at: '2026-03-29T01:30:00.000Z',
    });
    expect(
      toldBetween('Europe/Berlin', HALF_PAST_TWO, '2026-10-24T12:00:00.000Z', '2026-10-25T12:00:00.000Z', 1),
    ).toEqual(['2026-10-25']);
  });

  it('is late when nobody could tell it at its time', () => {
    expect(isLate('2026-01-16T06:00:00.000Z', '2026-01-16T06:14:00.000Z')).toBe(false);
    expect(isLate('2026-01-16T06:00:00.000Z', '2026-01-16T08:00:00.000Z')).toBe(true);
  });
});
