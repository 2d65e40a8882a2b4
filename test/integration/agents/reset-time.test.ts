import { describe, expect, it } from 'vitest';
import { parseResetTime } from '../../../src/agents/drivers/reset-time.ts';
import { expectEffortBelow } from '../../support/effort.ts';

/** A Monday; summer time in Berlin ends on 25 October 2026. */
const NOW = '2026-10-05T10:00:00Z';

describe('the time at which a limit ends', () => {
  it.each([
    // now, message, end
    [NOW, "You've hit your session limit · resets 3pm (Europe/Berlin)", '2026-10-05T13:00:00.000Z'],
    [NOW, "You've hit your limit · resets 12am", '2026-10-05T22:00:00.000Z'],
    [NOW, '5-hour limit reached ∙ resets 2am', '2026-10-06T00:00:00.000Z'],
    [NOW, 'resets 11:30am (Europe/Berlin)', '2026-10-06T09:30:00.000Z'],
    [NOW, 'resets 12:01pm (Europe/Berlin)', '2026-10-05T10:01:00.000Z'],
    [NOW, 'resets 4:10pm (America/Sao_Paulo)', '2026-10-05T19:10:00.000Z'],
    [NOW, 'resets 3:20am (Asia/Calcutta)', '2026-10-05T21:50:00.000Z'],
    [NOW, 'resets 11pm (Pacific/Honolulu)', '2026-10-06T09:00:00.000Z'],
    [NOW, 'resets 1am (Pacific/Auckland)', '2026-10-05T12:00:00.000Z'],
    [NOW, 'Your limit resets at 15:00', '2026-10-05T13:00:00.000Z'],
    [NOW, 'resets at 3 pm UTC', '2026-10-05T15:00:00.000Z'],
    [NOW, "You've hit your weekly limit · resets Oct 7, 3pm (Europe/Berlin)", '2026-10-07T13:00:00.000Z'],
    [NOW, 'Weekly limit reached · resets Oct 9 at 9:30am', '2026-10-09T07:30:00.000Z'],
    [NOW, 'resets October 26, 3pm (Europe/Berlin)', '2026-10-26T14:00:00.000Z'],
    [NOW, 'resets Oct 7, 2026, 3pm (UTC)', '2026-10-07T15:00:00.000Z'],
    [NOW, 'resets tomorrow at 3pm (UTC)', '2026-10-06T15:00:00.000Z'],
    [NOW, 'resets at 2026-10-05T12:30:00Z', '2026-10-05T12:30:00.000Z'],
    [NOW, 'Claude AI usage limit reached|1791205200', '2026-10-05T13:00:00.000Z'],
    [NOW, 'Rate limited. Please retry after 30 seconds', '2026-10-05T10:00:30.000Z'],
    [NOW, 'retry-after: 3600', '2026-10-05T11:00:00.000Z'],
    [NOW, 'retry-after:300', '2026-10-05T10:05:00.000Z'],
    [NOW, '{"error":{"retry_after":300}}', '2026-10-05T10:05:00.000Z'],
    [NOW, '{"type":"rate_limit_error","retry_after": 90}', '2026-10-05T10:01:30.000Z'],
    [NOW, 'Retry-After: Mon, 05 Oct 2026 10:15:00 GMT', '2026-10-05T10:15:00.000Z'],
    [NOW, 'try again in 5 minutes', '2026-10-05T10:05:00.000Z'],
    [NOW, 'resets in 2h 5m', '2026-10-05T12:05:00.000Z'],
    [NOW, 'Please try again in 20ms.', '2026-10-05T10:00:00.020Z'],
    [NOW, 'Please try again in 6s. Visit the page.', '2026-10-05T10:00:06.000Z'],
    [NOW, 'try again in 7m12s', '2026-10-05T10:07:12.000Z'],
    [NOW, 'try again in 6m0s', '2026-10-05T10:06:00.000Z'],
    [NOW, 'try again in 1h30m0s', '2026-10-05T11:30:00.000Z'],
    [NOW, 'resets in 2.5 hours', '2026-10-05T12:30:00.000Z'],
    [NOW, 'resets in 2 days, 1 hour and 5 mins', '2026-10-07T11:05:00.000Z'],
    [NOW, 'retry after 500 ms', '2026-10-05T10:00:00.500Z'],
    [NOW, 'Please retry in 12.345s.', '2026-10-05T10:00:12.345Z'],
    [NOW, 'retry-after: 60 x-request-id: 7', '2026-10-05T10:01:00.000Z'],
    [NOW, 'retry after 30.', '2026-10-05T10:00:30.000Z'],
    [NOW, 'retry after 2026-10-05T12:00:00Z', '2026-10-05T12:00:00.000Z'],
    [NOW, 'Retry-After: 2026-10-05T12:00:00.5+02:00', '2026-10-05T10:00:00.500Z'],
    [NOW, 'Try again at 2026-10-05T12:00:00Z', '2026-10-05T12:00:00.000Z'],
    [NOW, 'rate limit resets at 2026-10-05 12:00:00 UTC', '2026-10-05T12:00:00.000Z'],
    [NOW, 'You will regain access on 2026-10-06 at 00:00 UTC.', '2026-10-06T00:00:00.000Z'],
    [NOW, '{"resets_at":"2026-10-05T12:00:00Z"}', '2026-10-05T12:00:00.000Z'],
    [NOW, 'anthropic-ratelimit-requests-reset: 2026-10-05T12:00:00Z', '2026-10-05T12:00:00.000Z'],
    [NOW, '{"resets_at": 1791205200}', '2026-10-05T13:00:00.000Z'],
    [NOW, String.raw`{"m":"{\"resets_at\": 1791205200}"}`, '2026-10-05T13:00:00.000Z'],
    [NOW, '{"X-RateLimit-Reset":"1791205200"}', '2026-10-05T13:00:00.000Z'],
    [NOW, 'x-ratelimit-reset: 1791205200', '2026-10-05T13:00:00.000Z'],
    [NOW, '{"resets_in_seconds": 90}', '2026-10-05T10:01:30.000Z'],
    [NOW, 'Your quota will reset after 8h44m7s.', '2026-10-05T18:44:07.000Z'],
    [NOW, '{"@type":"RetryInfo","retryDelay":"34s"}', '2026-10-05T10:00:34.000Z'],
    [NOW, '{"retryDelay": "34.5s"}', '2026-10-05T10:00:34.500Z'],
    [NOW, '{"message":"{\\"retryDelay\\": \\"34s\\"}"}', '2026-10-05T10:00:34.000Z'],
    [NOW, '{"quotaResetDelay":"2h30m"}', '2026-10-05T12:30:00.000Z'],
    [NOW, '{"quotaResetTimeStamp":"2026-10-05T12:00:00Z"}', '2026-10-05T12:00:00.000Z'],
    [NOW, 'Your quota resets after about 5 minutes', '2026-10-05T10:05:00.000Z'],
    [NOW, 'retry 3 of 5 failed; try again in 7 minutes', '2026-10-05T10:07:00.000Z'],
    [NOW, 'available again in 3 hours', '2026-10-05T13:00:00.000Z'],
    [NOW, 'You must wait at least 30 seconds', '2026-10-05T10:00:30.000Z'],
    [NOW, 'You are blocked until 2026-10-05 12:00 UTC', '2026-10-05T12:00:00.000Z'],
    [NOW, 'resets next Tuesday at 9:00 AM', '2026-10-06T07:00:00.000Z'],
    [NOW, '{"retryAfterMs":2000}', '2026-10-05T10:00:02.000Z'],
    [NOW, 'retry-after-ms: 2000', '2026-10-05T10:00:02.000Z'],
    [NOW, '{"retry_after_ms":2000}', '2026-10-05T10:00:02.000Z'],
    [NOW, 'try again in about 2 hours', '2026-10-05T12:00:00.000Z'],
    [NOW, 'Try again in ~5 minutes', '2026-10-05T10:05:00.000Z'],
    [NOW, 'try again in an hour', '2026-10-05T11:00:00.000Z'],
    [NOW, 'Please wait 34 seconds before retrying', '2026-10-05T10:00:34.000Z'],
    [NOW, 'available again at 3:30 PM', '2026-10-05T13:30:00.000Z'],
    [NOW, 'Limit resets Monday at 9:00 AM', '2026-10-12T07:00:00.000Z'],
    [NOW, 'resets Mon 3pm', '2026-10-05T13:00:00.000Z'],
    [NOW, 'resets on Thursday, 3pm (UTC)', '2026-10-08T15:00:00.000Z'],
    [NOW, 'Try again on Sunday at 15:00 UTC', '2026-10-11T15:00:00.000Z'],
    ['2026-12-30T10:00:00Z', 'resets Jan 2, 3pm (UTC)', '2027-01-02T15:00:00.000Z'],
    // The hour that exists twice is over when it is over for the second time.
    ['2026-10-24T22:00:00Z', 'resets 2:30am (Europe/Berlin)', '2026-10-25T01:30:00.000Z'],
  ])('%s, "%s" is %s', (now, message, end) => {
    expect(parseResetTime(message, { at: new Date(now), zone: 'Europe/Berlin' })).toBe(end);
  });

  it.each([
    ['a bare number', 'resets 3'],
    ['an hour that no clock shows', 'resets 13pm'],
    ['an hour that no day has', 'resets 25:00'],
    ['a minute that no hour has', 'resets 3:75pm'],
    ['a zone that nobody knows', 'resets 3pm (Mars/Olympus)'],
    ['an offset in brackets', 'resets 3pm (GMT+2)'],
    ['letters that mean several zones', 'resets 3pm PST'],
    ['a date that no year has', 'resets Feb 30, 3pm'],
    ['a month that does not exist', 'resets Okt 7, 3pm (UTC)'],
    ['a date without a time', 'resets Oct 7'],
    ['a day that no week has', 'resets Someday 3pm'],
    ['a stamp without a zone', 'retry after 2026-10-05T12:00:00'],
    ['a date', 'retry after 2026-10-06'],
    ['a few of a unit', 'try again in a few minutes'],
    ['a date that is over', 'resets Oct 4, 3pm (UTC)'],
    ['a date in half a year', 'resets Apr 4, 3pm (UTC)'],
    ['a stamp that is over', 'Claude AI usage limit reached|1790000000'],
    ['a stamp in milliseconds', 'Claude AI usage limit reached|1791205200000'],
    ['a span of an unknown unit', 'try again in 3 fortnights'],
    ['a span of an unknown unit beside it', 'try again in 3w'],
    ['a number that is none', 'retry after 1.2.3'],
    ['a span of nothing', 'retry after 0 seconds'],
    ['a span of years', 'retry after 900000000'],
    ['words', 'resets soon'],
    ['nothing', ''],
  ])('is not guessed from %s: "%s"', (_, message) => {
    expect(parseResetTime(message, { at: new Date(NOW), zone: 'Europe/Berlin' })).toBeUndefined();
  });

  it('is not guessed from an hour that a clock leaves out', () => {
    const now = { at: new Date('2026-03-28T22:00:00Z'), zone: 'Europe/Berlin' };
    expect(parseResetTime('resets Mar 29, 2:30am', now)).toBeUndefined();
  });

  it('takes no longer for a long text', () => {
    expectEffortBelow(30, () => {
      parseResetTime('resets '.repeat(100_000), { at: new Date(NOW), zone: 'UTC' });
      parseResetTime(`resets ${' '.repeat(200_000)}3`, { at: new Date(NOW), zone: 'UTC' });
    });
  });
});
