import { sample, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';
import { SHAPES, type Shape } from '../../../../src/rules/secrets/shapes.ts';

/** Texts made from what a form says, always the same ones: of what looks around itself only those that it takes. */
function madeFrom({ pattern, isNamed }: Shape): readonly string[] {
  const plain = pattern.source.replace(/\(\?<?[!=](?:[^()[\]\\]|\\.|\[(?:[^\]\\]|\\.)*\])*\)/g, '');
  const whole = new RegExp(
    `^(?:${plain
      .replace(/^\(\?:\|?\)/, '')
      .replaceAll('(?<word>', '(?:')
      .replaceAll('(?<value>', '(?:')})$`,
  );
  return sample(stringMatching(whole), { seed: 7, numRuns: 60 }).flatMap((token) =>
    isNamed ? [token, token.toLowerCase()] : [`key ${token} `],
  );
}

describe('the forms of tokens that vendors publish', () => {
  it.each(SHAPES.map((shape, at) => [`${shape.name}, row ${at + 1}`, shape] as const))(
    '%s is found by it',
    (_, shape) => {
      const texts = madeFrom(shape);
      expect(texts.some((text) => findSecrets('a.txt', text).some(({ what }) => what === shape.name))).toBe(true);
    },
  );
});
