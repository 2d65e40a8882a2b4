import { describe, expect, test } from 'vitest';
import { MASKED, knownSecrets } from '../../../src/base/known-secrets.ts';
import * as fc from '../../support/properties.ts';

const SECRET = 'tok-9fA27cQx81LmZ04kRw';
const secrets = knownSecrets([SECRET]);

describe('secrets that are known by their values', () => {
  test.each([
    ['as they are', SECRET],
    ['in base64', Buffer.from(`user:${SECRET}`).toString('base64')],
    ['in base64 for URLs', Buffer.from(`${SECRET}??>>`).toString('base64url')],
    ['in hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ])('are masked %s', (_, text) => {
    const masked = secrets.mask(`before ${text} after`);
    expect(masked).toContain(MASKED);
    expect(masked.startsWith('before ')).toBe(true);
    expect(masked.endsWith(' after')).toBe(true);
  });

  test('no piece of 12 characters is left, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.nat(SECRET.length - 12),
        fc.string({ maxLength: 30 }),
        fc.array(fc.nat(120), { maxLength: 6 }),
        (before, from, after, cuts) => {
          const bytes = Buffer.from(`${before}${SECRET.slice(from)}${after}`);
          const following = secrets.follow();
          const at = [0, ...cuts.filter((cut) => cut <= bytes.length).toSorted((a, b) => a - b), bytes.length];
          const out = at.slice(1).map((to, piece) => following.take(bytes.subarray(at[piece], to).toString('latin1')));
          const text = Buffer.from([...out, following.end()].join(''), 'latin1').toString();
          expect(text).not.toContain(SECRET.slice(from, from + 12));
          expect(text.startsWith(before.slice(0, -1))).toBe(true);
        },
      ),
    );
  });

  test('other texts pass unchanged, and at once', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const following = secrets.follow();
        expect(following.take(text) + following.end()).toBe(text);
      }),
    );
    expect(secrets.follow().take('data: {"a":1}\n\n')).toBe('data: {"a":1}\n\n');
  });

  test('a value that is a word of other texts as well is none', () => {
    expect(knownSecrets(['true', 'qwen2.5', '']).mask('it is true of qwen2.5')).toBe('it is true of qwen2.5');
  });
});
