import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { praiseFeedback, validateResponse } from '../../../../src/rules/guards/response-validator.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const { response_validator: usual } = standardMessages();
const labels = (text: string): readonly string[] => validateResponse(text, usual).sentences.map(({ label }) => label);

/** Reports whose product, names or quotations hold words of praise, and praise before a finding. */
const HONEST = [
  'The excellent badge shows after ten solved puzzles.',
  'The string "You are amazing" is cut after eight characters on the watch.',
  '优秀等级从九十分开始。',
  'Good catch! The comparison was inverted; negative balances passed.',
  '좋은 지적입니다. 비교 방향이 반대로 되어 있어 음수 잔액이 통과했습니다.',
];

const FLATTERING = [
  'Great question! You really understand the system. I love how you think.',
  '네, 알겠습니다. 최선을 다하겠습니다!',
  '太优秀了！您的思路非常清晰,令人佩服。',
];

describe('a sentence with words of praise', () => {
  it.each(HONEST)('passes where it reports work: %s', (text) => {
    expect(validateResponse(text, usual).valid).toBe(true);
  });

  it.each(FLATTERING)('is refused where it praises or confirms: %s', (text) => {
    expect(validateResponse(text, usual).valid).toBe(false);
  });
});

describe('a message between agents', () => {
  it.each([
    ['praises', 'Perfect! What an excellent plan. I am impressed.'],
    ['only confirms', 'Got it! I understand.'],
    ['announces that something will be done', 'Understood! I will implement the login feature.'],
    ['hides praise behind one fact', 'Superb idea! You are so right. This is a brilliant design. I changed a.ts.'],
    ['speaks of the reader and nothing else', 'Your patience and your wisdom made all the difference.'],
    ['is nothing but a quote that praises', '"Perfect! Excellent work!"'],
  ])('that %s is refused', (_, text) => {
    expect(validateResponse(text, usual).valid).toBe(false);
  });

  it.each([
    ['tells what was done', 'Changed src/a.ts: the list may be empty now.'],
    ['uses a word of praise in a term', 'We use a perfect hash over the keywords.'],
    [
      'is ironic in a sentence of its own',
      'Well, that went splendidly. The worker was killed twice and left no trace.',
    ],
    ['is a heading', '## Getting started'],
    ['asks whether something is good', 'Is this a good idea?'],
    ['announces what it names', 'OK. I will look at `src/a.ts`.'],
    ['quotes praise', 'The user wrote "great job, perfect" in the ticket; the defect is in the date parser.'],
    ['shows praise as code', '```\nconst praise = ["perfect", "excellent"]\n```\nAdded the list above.'],
    ['praises and shows what it did', 'Great catch. Fixed in src/a.ts line 12; 42 tests pass.'],
    ['asks', 'Should the parser throw for an unknown key?'],
    ['is one word about the task', 'DONE'],
    ['praises shortly and tells the finding', 'Nice catch! The parser swallowed the error.'],
    ['is in a language that is not read', 'Wunderbar, das ist wirklich ein großartiger Vorschlag!'],
    ['is empty', ' \n\t '],
  ])('that %s passes', (_, text) => {
    expect(validateResponse(text, usual).valid).toBe(true);
  });

  it('is labelled sentence by sentence', () => {
    expect(labels('Excellent work! Changed src/a.ts. I will start now. The cache key leaves out the tenant.')).toEqual([
      'flattery',
      'evidence',
      'confirmation',
      'content',
    ]);
  });

  it('that passes because its language is not read says so', () => {
    const read = validateResponse('Отличная работа! Всё просто превосходно!', usual);
    expect(read).toMatchObject({
      valid: true,
      unsure: expect.stringContaining('no word of the message is known') as string,
    });
  });

  it('is also held to the words that a project adds, and spared by its terms', () => {
    const own = {
      ...usual,
      patterns: { english: ['chef-level'], korean: ['쩐다'] },
      technical_terms: ['perfect mode'],
    };
    expect(validateResponse('The lexer is chef-level.', usual).valid).toBe(true);
    expect(validateResponse('The lexer is chef-level.', own).valid).toBe(false);
    expect(validateResponse('If code were jazz, this perfect mode would be Coltrane.', own).valid).toBe(true);
    expect(validateResponse('쩐다!', own).valid).toBe(false);
    expect(validateResponse('This enables perfect mode.', own).valid).toBe(true);
  });

  it('goes back with the words of the layer, what is refused and what would be accepted', () => {
    const feedback = praiseFeedback(validateResponse('Perfect! Excellent!', usual));
    expect(feedback.split('\n')[0]).toBe(
      '[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.',
    );
    expect(feedback).toContain('"Perfect!"');
    expect(feedback).toContain('Accepted: results');
  });

  it('longer than what is read says that its end was not looked at', () => {
    expect(validateResponse('The cache is cold. '.repeat(12_000), usual).unsure).toContain('200000');
  });

  it('of any text gets a ratio from 0 to 1', () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const { ratio, valid, matched } = validateResponse(text, usual);
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(1);
        expect(valid).toBe(matched.length === 0);
      }),
    );
  });
});
