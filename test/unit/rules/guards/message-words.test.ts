import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankSpans, hasWord, wordSpans, type WordList } from '../../../../src/rules/guards/message-words.ts';
import data from '../../../../src/rules/guards/message-words.json' with { type: 'json' };
import { anyCharacter } from '../../../support/any-character.ts';

const LISTS = Object.keys(data) as WordList[];

describe('the word lists', () => {
  it.each(LISTS)('compile, and find nothing in a text without words: %s', (list) => {
    expect(['', ' ', '—', 'zxqv'].filter((text) => hasWord(text, list))).toEqual([]);
  });

  it('find whole English words in any case, with a possessive', () => {
    expect(wordSpans("It was PERFECT; yesterday's imperfect run.", 'praise')).toEqual([{ from: 7, to: 14 }]);
    expect(hasWord("yesterday's run", 'foreign')).toBe(true);
  });

  it('find spans within the text, whatever the text is', () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 200 }), constantFrom(...LISTS), (text, list) => {
        const spans = wordSpans(text, list);
        expect(spans.every(({ from, to }) => from < to && to <= text.length)).toBe(true);
        expect(hasWord(text, list)).toBe(spans.length > 0);
        expect(blankSpans(text, spans)).toHaveLength(text.length);
      }),
    );
  });
});
