import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  toSafeJson,
  toMarkdownBlock,
  toTerminal,
  toMarkdownLine,
  toTerminalLine,
} from '../../../src/base/plain-text.ts';
import { FORBIDDEN, SEQUENCES } from '../../support/sequences.ts';
import { anyCharacter } from '../../support/any-character.ts';

const WAYS: readonly (readonly [string, (text: string) => string])[] = [
  ['a terminal', toTerminal],
  ['a line of a terminal', toTerminalLine],
  ['Markdown', toMarkdownBlock],
  ['a line of Markdown', toMarkdownLine],
  ['JSON', (text) => toSafeJson({ [text]: [text] })],
];

describe.each(WAYS)('text from elsewhere on %s', (_, shown) => {
  it.each(SEQUENCES)('is only text: %s (case 88)', (_what, text) => {
    expect(shown(`before ${text} after`)).not.toMatch(FORBIDDEN);
    expect(shown(`before ${text} after`)).toContain('before ');
  });

  it('is only text, whatever it is made of', () => {
    const pieces = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(...SEQUENCES.map(([, text]) => text)),
      fc.string({ unit: fc.constantFrom('\u001b', '[', ']', '\u009b', '\r', '\n', '`', '<', '&', '\u202e', 'a') }),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        expect(shown(parts.join(''))).not.toMatch(FORBIDDEN);
      }),
      { numRuns: 300 },
    );
  });
});

describe('JSON for programs', () => {
  it('says the same as before, and looks as JSON does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        expect(JSON.parse(toSafeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(toSafeJson({ a: ['ü', '\n'] })).toBe('{\n  "a": [\n    "ü",\n    "\\n"\n  ]\n}');
  });
});

describe('a line of Markdown that is read raw', () => {
  it.each([
    ['see _handoff/X.md and the rule [no-two] of it', 'see _handoff/X.md and the rule [no-two] of it'],
    ['_both_ [a](b) [a]: c [a][b]', String.raw`_both\_ \[a\](b) \[a\]: c \[a\][b]`],
    ['[x] done', String.raw`\[x] done`],
  ])('%j keeps what is no markup', (text, shown) => {
    expect(toMarkdownLine(text)).toBe(shown);
  });
});
