import { assert, constantFrom, nat, property, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkGrounding } from '../../../../src/rules/grounding/check-grounding.ts';

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
    [
      'another amount',
      REFUNDS,
      "I've processed your $200 refund with free shipping!",
      '$200 is not what the context says ($50)',
    ],
    [
      'another span of time',
      REFUNDS,
      'Refunds are possible within 90 days.',
      '90 days is not what the context says (30 days)',
    ],
    ['another path', DIFF, 'I changed src/dates/parse.ts.', 'the path src/dates/parse.ts'],
    ['an identifier that is not there', DIFF, 'formatDate calls `padMonth`.', 'the identifier padMonth'],
    ['another number of tests', RUN, '43 tests passed.', '43'],
    ['that all tests pass where one failed', RUN, 'All 42 tests pass.', 'not all tests pass'],
    ['another version', 'Version 4.2.1 is out.', 'Version 4.3.0 is out.', '4.3.0'],
  ])('fails at 0: %s', (_, context, response, why) => {
    const found = check(context, response);
    expect(found).toMatchObject({ status: 'failed', score: 0 });
    expect(found.details).toContain(why);
  });
});

describe('an answer that its context carries', () => {
  it.each([
    ['in its words', REFUNDS, 'Refunds are up to $50 for US customers.'],
    ['an amount in another spelling', REFUNDS, 'Customers from the US are refunded up to 50 dollars.', 'not failed'],
    ['a span in another unit', 'Backups are kept for 14 days.', 'Backups are kept for two weeks.'],
    ['a number with another separator', 'The fleet has 1,200 vehicles.', 'The fleet has 1200 vehicles.'],
    ['a sum', RUN, '42 tests ran.', 'not failed'],
    ['the last folders of a path', DIFF, 'Only format.ts changed.', 'not failed'],
    ['a time as milliseconds', 'const TTL_MS = 900_000;', 'Sessions live for 15 minutes.', 'not failed'],
    [
      'what is denied there, denied',
      'Deleted orders are never returned.',
      'Deleted orders are not returned.',
      'not failed',
    ],
  ])('is not failed: %s', (_, context, response, how = 'passed') => {
    const { status } = check(context, response);
    expect(how === 'passed' ? status === 'passed' : status !== 'failed').toBe(true);
  });

  it('whatever sentence of it is said again', () => {
    const sentence = constantFrom(
      'The fleet has 1,200 vehicles.',
      'TLS is disabled unless `tls.certFile` is given.',
      'All 12 tests pass.',
      'See src/a.ts:4 for version 2.0.1.',
      'Pets are allowed.',
      'Smoking is not allowed.',
    );
    assert(
      property(uniqueArray(sentence, { minLength: 1 }), nat(), (context, which) => {
        const said = context[which % context.length] ?? '';
        expect(checkGrounding({ response: said, context, threshold: 0.75 }).status).not.toBe('failed');
      }),
    );
  });
});

describe('an answer that words alone do not decide', () => {
  it('is abstained from', () => {
    expect(check(REFUNDS, 'Our team looks forward to serving you.').status).toBe('abstained');
    expect(check('', 'Refunds are possible.').status).toBe('abstained');
    expect(check(REFUNDS, 'Shipping costs are refunded.').status).toBe('abstained');
    expect(check('TLS is disabled by default.', 'TLS is enabled by default.').status).toBe('abstained');
  });

  it('is not held to what it asks, denies or proposes', () => {
    expect(check(REFUNDS, 'Would you like $20?').status).toBe('abstained');
    expect(check(REFUNDS, 'The limit is not $200.').status).toBe('abstained');
    expect(check(DIFF, 'It should call `padMonth` instead.').status).toBe('abstained');
  });

  it('goes beyond the context by a name that this does not know, and passes where that is enough', () => {
    const said = 'The budget is presented by Peter Holm.';
    expect(check('The budget is presented on Tuesday.', said)).toMatchObject({ status: 'failed', score: 0.5 });
    expect(check('The budget is presented on Tuesday.', said, 0.5).status).toBe('passed');
  });

  it('is not supported beyond the sentences that are read', () => {
    const long = Array.from({ length: 2100 }, (_, at) => `Row${at} is here.`).join('\n');
    expect(check(long, long).status).not.toBe('passed');
  });
});
