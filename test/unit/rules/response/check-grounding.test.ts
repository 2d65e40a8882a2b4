import { describe, expect, it } from 'vitest';
import { checkGrounding } from '../../../../src/rules/response/check-grounding.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

const REFUNDS = 'We offer refunds up to $50 for US customers within 30 days. Shipping costs are not refunded.';
const DIFF = [
  'diff --git a/src/dates/format.ts b/src/dates/format.ts',
  '+export function formatDate(date: Date): string {',
  '+  return date.toISOString().slice(0, 10);',
].join('\n');
const RUN = 'Tests  41 passed | 1 failed (42)\nFAIL test/export.test.ts';
const check = (context: string, response: string, threshold = 0.75) =>
  checkGrounding({ response, context: [context], threshold });

describe('an answer that contradicts its context', () => {
  it.each([
    ['another amount', REFUNDS, "I've processed your $200 refund with free shipping!", '$200 is not what the context'],
    ['another currency sign', REFUNDS, 'You get a refund of 75 USD.', '75 USD is not what the context says ($50)'],
    ['another span of time', REFUNDS, 'Refunds are possible within 90 days.', '90 days is not what the context says'],
    ['another path', DIFF, 'I changed src/dates/parse.ts.', 'the path src/dates/parse.ts'],
    ['an identifier that is not there', DIFF, 'formatDate calls `padMonth`.', 'the identifier padMonth'],
    ['another number of tests', RUN, '43 tests passed.', '43'],
    ['that all tests pass where one failed', RUN, 'All 42 tests pass.', 'not all tests pass'],
    ['another version', 'Version 4.2.1 is out.', 'Version 4.3.0 is out.', '4.3.0'],
    ['another time of day', 'Lunch is at 12:30.', 'Lunch is at 13:30.', '13:30'],
    ['another year', 'It opened in 2024.', 'It opened in 2021.', 'the number 2021'],
    ['another sum behind its currency', 'The rent is EUR 1,250.', 'The rent is 1,450 EUR.', 'EUR 1,250'],
    ['another port', 'The server listens on port 8080.', 'It listens on port 3000.', 'port 3000'],
  ])('fails at 0: %s', (_, context, response, why) => {
    const found = check(context, response);
    expect(found).toMatchObject({ status: 'failed', score: 0 });
    expect(found.details).toContain(why);
  });
});

describe('an answer that its context carries', () => {
  it.each([
    ['a number with another separator', 'The fleet has 1,200 vehicles.', 'It has 1200 vehicles.'],
    ['a sum', RUN, '42 tests ran.'],
    ['the last folders of a path', DIFF, 'Only format.ts changed.'],
    ['a span in another unit', 'Backups are kept for 14 days.', 'Backups are kept for 2 weeks.'],
    ['a span in words', 'A restore takes up to an hour.', 'A restore takes up to 60 minutes.'],
    ['an identifier in another spelling', 'const MAX_RETRIES = 3;', 'maxRetries is 3.'],
    ['what is denied', REFUNDS, 'The limit is not $200.'],
    ['what is asked', REFUNDS, 'Would you like $20?'],
    ['what is proposed', DIFF, 'It should call `padMonth` instead.'],
    ['what is reckoned', REFUNDS, 'You bought it 3 days ago, so 27 days are left.'],
    ['a remainder', 'Shipping costs $7.50.', 'Of $50.00 you get $42.50 back.'],
    ['a version with its letter', 'Version 2.4.1 is out.', 'Use v2.4.1.'],
    ['a day', REFUNDS, 'You ordered on 2026-11-01.'],
    ['no word of it', REFUNDS, 'Our team looks forward to serving you.'],
    ['an opposite', REFUNDS, 'Shipping costs are refunded.'],
  ])('is not failed, and not passed: %s', (_, context, response) => {
    expect(check(context, response).status).toBe('abstained');
  });

  it('may repeat the facts of its question, and reckon with them', () => {
    const query = 'I ordered on 2026-11-01, v3.1.0 of src/x.ts, and paid $42.00.';
    const response = 'You ordered v3.1.0 of src/x.ts on 2026-11-01 and paid $42.00, $8.00 below the limit.';
    expect(checkGrounding({ response, context: [REFUNDS], query, threshold: 0.75 }).status).toBe('abstained');
    expect(check(REFUNDS, 'You paid $42.00.').status).toBe('failed');
  });

  it('passes where its sentences are those of the context', () => {
    expect(check(REFUNDS, 'Shipping costs are not refunded.')).toMatchObject({ status: 'passed', score: 1 });
  });

  it('is not measured without a context', () => {
    expect(check('', 'Refunds are possible.').status).toBe('abstained');
  });
});

it('is linear in hostile texts', () => {
  const hostile = `${'1 a_b '.repeat(30_000)}${'$'.repeat(20_000)}`;
  expectEffortBelow(800, () => check(hostile, hostile));
  expectEffortBelow(400, () => check('one', '1 '.repeat(10_000)));
});
