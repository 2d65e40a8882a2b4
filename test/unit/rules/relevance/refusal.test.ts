import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../src/rules/relevance/check-relevance.ts';

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
