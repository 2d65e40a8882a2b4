import { describe, expect, it } from 'vitest';
import { OutputRing } from '../../../../src/line/calls/share-output.ts';
import type { OutputPiece } from '../../../../src/agents/agent.ts';
import { withoutSecrets } from '../../../../src/rules/secrets/mask-secrets.ts';

import * as fc from '../../../support/properties.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const text = (...texts: readonly string[]): readonly OutputPiece[] => texts.map((one) => ({ kind: 'text', text: one }));

function ringOf(pieces: readonly OutputPiece[], mask = (one: string) => one): OutputRing {
  const ring = new OutputRing(mask);
  for (const piece of pieces) ring.add(piece);
  return ring;
}

describe('the last lines of a call', () => {
  it('join pieces into lines, and give steps and thoughts their own', () => {
    const ring = ringOf([
      ...text('I wr', 'ite it.\nNow '),
      { kind: 'step', text: 'writes src/x.ts' },
      { kind: 'thought', text: 'Is it ' },
      { kind: 'thought', text: 'right? ' },
      ...text('Yes. '),
    ]);
    expect(ring.lines().lines).toEqual(['I write it.', 'Now', 'writes src/x.ts', 'thinking: Is it right?', 'Yes.']);
  });

  it('are at most 200, and count those before', () => {
    const ring = ringOf(text(...Array.from({ length: 1000 }, (_, at) => `line ${at}\n`)));
    const { first, lines } = ring.lines();
    expect([lines.length, lines[0], lines.at(-1), first]).toEqual([200, 'line 800', 'line 999', 800]);
    ring.add({ kind: 'text', text: 'line 1000\n' });
    expect(ring.lines()).toMatchObject({ first: 801 });
  });

  it('show of a line that overwrites itself its last state, and no colours', () => {
    const ring = ringOf(text('10 %\r20 %\r\u001b[32m30 %\u001b[0m\nnext\r\n'));
    expect(ring.lines().lines).toEqual(['30 %', 'next']);
  });

  it('show a line without an end as it grows, up to its last whole word', () => {
    const ring = ringOf(text('looking at the fi'));
    expect(ring.lines().lines).toEqual(['looking at the']);
    ring.add({ kind: 'text', text: 'le ' });
    expect(ring.lines().lines).toEqual(['looking at the file']);
    expect(ringOf(text('書いています')).lines().lines).toEqual(['書いています']);
  });

  it('keep of a line of megabytes its beginning, in memory that stays flat', () => {
    const ring = ringOf([]);
    const piece = { kind: 'text', text: 'x y '.repeat(16_000) } as const;
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 2000; at += 1) ring.add(piece);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024);
    const [line = ''] = ring.lines().lines;
    expect(line.length).toBeLessThanOrEqual(2001);
    ring.add({ kind: 'text', text: 'z'.repeat(9_000_000) });
    ring.add({ kind: 'text', text: '\nafter\n' });
    expect(ring.lines().lines.at(-1)).toBe('after');
  });
});

const TOKEN = 'ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cD1fG3hJ5';
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', ...Array.from({ length: 20 }, (_, at) => `MIIEpAIBAAKC${at}x`), '-----END RSA PRIVATE KEY-----'].join('\n'); // prettier-ignore

describe('a secret in the output', () => {
  it('is never seen, not even a part of it, however it is cut and whenever one looks', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(cuts, fc.constantFrom(' ', '\n', '', '中'), (sizes, after) => {
        const all = `the token is ${TOKEN}${after}and on\n`;
        const ring = ringOf([], withoutSecrets);
        let at = 0;
        for (let step = 0; at < all.length; step += 1) {
          const size = sizes[step % sizes.length] ?? 1;
          ring.add({ kind: 'text', text: all.slice(at, at + size) });
          at += size;
          expect(ring.lines().lines.join('\n')).not.toContain(TOKEN.slice(0, 8));
        }
        expect(ring.lines().lines.join('\n')).toContain('the token is ***');
      }),
    );
  });

  it('that is a private key is hidden line by line, also before its end is there', () => {
    for (const size of [1, 7, 40, 4000]) {
      const ring = ringOf([], withoutSecrets);
      const all = `before\n${KEY}\nafter \n`;
      for (let at = 0; at < all.length; at += size) {
        ring.add({ kind: 'text', text: all.slice(at, at + size) });
        expect(ring.lines().lines.join('\n')).not.toContain('MIIE');
      }
      expect(ring.lines().lines).toEqual(['before', '***', 'after']);
    }
  });

  it('is not shown by half where a piece or a line is cut', () => {
    const long = ringOf(text(`${'word '.repeat(399)}x${TOKEN}`), withoutSecrets);
    expect(long.lines().lines.join('')).not.toContain('ghp_');
    const head = ringOf(text(`${TOKEN}${'y'.repeat(64 * 1024 - 10)}\nnext\n`), withoutSecrets);
    expect(head.lines().lines).toEqual(['…', 'next']);
  });
});

it('lines of any pieces stay within their bounds, and are the same however often one looks', () => {
  const pieces = fc.array(
    fc.record({
      kind: fc.constantFrom('text', 'thought', 'step'),
      text: fc.string({ unit: anyCharacter, maxLength: 300 }),
    }),
    { maxLength: 80 },
  ) as fc.Arbitrary<OutputPiece[]>;
  fc.assert(
    fc.property(pieces, (all) => {
      const [often, once] = [ringOf([]), ringOf(all)];
      for (const piece of all) {
        often.add(piece);
        const { lines } = often.lines();
        expect(lines.length).toBeLessThanOrEqual(201);
        expect(lines.some((line) => line.includes('\n'))).toBe(false);
      }
      expect(often.lines()).toEqual(once.lines());
    }),
  );
});
