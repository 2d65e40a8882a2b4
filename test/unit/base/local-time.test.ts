import { describe, expect, it } from 'vitest';
import { formatLocalTime, parseMoment, withLocalTimes } from '../../../src/base/local-time.ts';

const at = (year: number, month: number, day: number, hour: number, minute: number): string =>
  new Date(year, month - 1, day, hour, minute, 7).toISOString();
const NOW = new Date(2026, 10, 22, 23, 30);

describe('a moment as a person reads it', () => {
  it.each([
    [at(2026, 11, 22, 7, 5), '07:05'],
    [at(2026, 11, 21, 23, 59), '21 Nov 23:59'],
    [at(2026, 11, 23, 1, 0), '23 Nov 01:00'],
    [at(2025, 12, 31, 12, 0), '2025-12-31 12:00'],
    ['some day', 'some day'],
  ])('%s is %s', (iso, words) => {
    expect(formatLocalTime(iso, NOW)).toBe(words);
  });

  it('is told to the second where one thing follows another', () => {
    expect(formatLocalTime(at(2026, 11, 22, 7, 5), NOW, { seconds: true })).toBe('07:05:07');
  });

  it('stands in a sentence in place of what a program wrote, and only of that', () => {
    expect(withLocalTimes(`paused since ${at(2026, 11, 22, 7, 5)}; tag 2026-11-22, v1T10:00:00Z`, NOW)).toBe(
      'paused since 07:05; tag 2026-11-22, v1T10:00:00Z',
    );
    expect(withLocalTimes(`It ended at ${at(2026, 11, 22, 7, 5)}. See 2026-11-22T07:05:07Z.log.`, NOW)).toBe(
      'It ended at 07:05. See 2026-11-22T07:05:07Z.log.',
    );
  });
});

describe('a typed moment', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T18:00', new Date(2026, 0, 31, 18).toISOString()],
    ['2026-01-31 18:00', new Date(2026, 0, 31, 18).toISOString()],
    ['2026-01-31T18:00:05', new Date(2026, 0, 31, 18, 0, 5).toISOString()],
    ['2026-01-31T18:00+01:00', '2026-01-31T17:00:00.000Z'],
    ['2026-01-31T18:00:05.123Z', '2026-01-31T18:00:05.123Z'],
  ])('is a date, or a date and a time: %s', (written, at) => expect(parseMoment(written)).toBe(at));

  it.each(['monday 5', 'last 3', 'yesterday 7', '5', '2026', '2026-1-31', '31.01.2026', '2026-01-31 x', '2026-02-30'])(
    'is not guessed at: %s',
    (written) => expect(parseMoment(written)).toBeUndefined(),
  );
  it.each(['', '2026-13-01', '2026-01-31T25:00', '2026-01-31T18', '10:00', '2026-01-31 (5)', '+002026-01-31'])(
    'is no other text: %s',
    (written) => expect(parseMoment(written)).toBeUndefined(),
  );
});
