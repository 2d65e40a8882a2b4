import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsIdentifier, listCodeClaims } from '../../../../src/rules/text/code-claims.ts';

const firm = (sentence: string): readonly string[] =>
  listCodeClaims(sentence).flatMap(({ kind, text, isFirm }) => (isFirm ? [`${kind} ${text}`] : []));

describe('the code that a sentence names', () => {
  test.each([
    ['I changed src/dates/parse.ts.', ['path src/dates/parse.ts']],
    ['See ./src/a.ts:4 and `docs/b.md`.', ['path docs/b.md', 'path src/a.ts']],
    ['formatDate calls `padMonth`.', ['identifier padMonth', 'identifier formatDate']],
    ['The flag --max-rows sets max_rows.', ['identifier --max-rows', 'identifier max_rows']],
    ['The iPhone costs 3.50, e.g. twice as much.', []],
    ['https://example.org/a/b is a page.', []],
  ])('is a path or an identifier: %s', (sentence, claims) => {
    expect(firm(sentence)).toEqual(claims);
  });

  test.each(['Does it call `padMonth`?', 'It does not call `padMonth`.', 'It should call `padMonth` instead.'])(
    'is not asserted where it is asked, denied or proposed: %s',
    (sentence) => {
      expect(listCodeClaims(sentence)).toMatchObject([{ text: 'padMonth', isFirm: false }]);
    },
  );

  test.each([
    ['const maxRetries = 3;', 'max_retries'],
    ['run it with max retries', '--max-retries'],
    ['class Parser { read() {} }', 'Parser.read'],
  ])('is found in %s, whatever its spelling', (shown, identifier) => {
    expect(holdsIdentifier(shown, identifier)).toBe(true);
    expect(holdsIdentifier(shown, 'padMonth')).toBe(false);
  });

  test('is read from any text', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const { text: claim, kind } of listCodeClaims(text))
          if (kind === 'identifier') expect(holdsIdentifier(text, claim)).toBe(true);
      }),
    );
  });
});
