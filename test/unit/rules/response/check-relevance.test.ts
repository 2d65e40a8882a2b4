import { array, assert, constantFrom, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRelevance, isRefusal } from '../../../../src/rules/response/check-relevance.ts';

const QUERY = 'What is your refund policy?';
const check = (response: string, changes: Partial<Parameters<typeof checkRelevance>[0]> = {}) =>
  checkRelevance({ query: QUERY, response, threshold: 0.5, ...changes });

describe('an answer', () => {
  it('about what was asked passes', () => {
    expect(check('Refunds are possible within 30 days of purchase.')).toMatchObject({
      status: 'passed',
      bypass: false,
    });
  });

  it('about something else fails, and says by how much', () => {
    expect(check('Our office hours are 9 AM to 5 PM.')).toEqual({
      status: 'failed',
      score: 0,
      details: 'the answer does not speak of what was asked (0.00, at least 0.5)',
      bypass: false,
    });
  });

  it('that says that there is none passes unmeasured, unless that is switched off', () => {
    const none = "I'm sorry, I don't have that information.";
    expect(check(none)).toMatchObject({ status: 'passed', score: 1, bypass: true });
    expect(check(none, { refusalBypass: false })).toMatchObject({ bypass: false });
  });

  it('in another script than its question is not guessed at', () => {
    expect(check('영업시간은 오전 아홉 시부터입니다.').status).toBe('abstained');
  });

  it.each([
    ['', 'something'],
    ['something', ''],
    ['???', 'the refund'],
    ['把按钮改成圆角', '已经按要求处理好了。'],
    ['환불 한도는 얼마인가요?', '재현했습니다.'],
  ])('to %j that is %j is not guessed at', (query, response) => {
    expect(check(response, { query }).status).toBe('abstained');
  });

  it.each([
    ['Can I get my money back?', 'Yes, refunds are possible within 30 days of purchase.'],
    ['Do you ship to Norway?', 'Yes, delivery takes 4 days.'],
    ['Rename getUser to loadUser', 'Done, all 14 call sites are updated.'],
    ['Where is the config file?', 'It lives in ~/.config/app/settings.yaml.'],
    ['Who wrote Hamlet?', 'Shakespeare.'],
  ])('to %j that replies %j is not guessed at', (query, response) => {
    expect(check(response, { query }).status).toBe('abstained');
  });

  it.each([
    ['Do you ship to Norway?', 'Passwords must have at least twelve characters.'],
    ['What is your refund policy?', 'Yes, our office hours are 9 to 5.'],
  ])('to %j that is %j fails', (query, response) => {
    expect(check(response, { query }).status).toBe('failed');
  });

  it('names code as its question does in words', () => {
    expect(check('formatDate() prints it in UTC.', { query: 'How do I format a date?' }).status).toBe('passed');
  });

  it('passes a lower threshold whenever it passes a higher one', () => {
    const words = array(constantFrom('refund', 'policy', 'hours', 'office', 'cache', 'the', 'days', '30'));
    assert(
      property(words, words, double({ min: 0.01, max: 1, noNaN: true }), (asked, said, threshold) => {
        const [query, response] = [asked.join(' '), said.join(' ')];
        const strict = checkRelevance({ query, response, threshold });
        const lax = checkRelevance({ query, response, threshold: threshold / 2 });
        expect(strict.status === 'passed' && lax.status !== 'passed').toBe(false);
      }),
    );
  });
});

describe('a refusal', () => {
  it.each([
    "I'm sorry, I don't have that information.",
    "I don't know.",
    'I’m sorry, but I can’t help with that.',
    'There is no information about the price in the documents that were provided.',
    '죄송하지만 답변할 수 없습니다.',
    '抱歉，我无法回答这个问题。',
  ])('is heard: %s', (text) => {
    expect(isRefusal(text)).toBe(true);
  });

  it.each([
    'There is no information leak in this change.',
    "I'm not able to reproduce the bug because it was fixed in v2",
    "i don't know why you'd want this, but here is the code: …",
    'I cannot recommend this enough!',
    'The server says "I don\'t know" when the index is empty.',
    'The cache is read first. Then the table is read. I do not know the answer.',
    "I can't help with that.\n```js\nconst a = 1;\n```",
    '',
  ])('is not heard in: %s', (text) => {
    expect(isRefusal(text)).toBe(false);
  });
});
