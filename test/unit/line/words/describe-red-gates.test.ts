import { describe, expect, it } from 'vitest';
import { describeRedGates, fitRedGates } from '../../../../src/line/words/describe-red-gates.ts';
import { aGate } from '../../../support/records.ts';

const red = (name: string, found: string) =>
  aGate({
    name,
    outcome: 'red',
    exit: 1,
    blocks: true,
    failures: [{ name: `${name} adds`, message: `expected 3\nfound ${found}` }],
    output: [
      ...Array.from({ length: 90 }, (_, at) => `ok ${at} ${name} works`),
      `not ok 91 ${name} adds`,
      ...Array.from({ length: 90 }, (_, at) => `debug ${at} of ${name}`),
    ].join('\n'),
  });

describe('red gates in words', () => {
  it('have no lines of passed tests where the failed ones are known', () => {
    const text = describeRedGates([red('alpha', '4')], 6000);
    expect(text).not.toMatch(/^ok /m);
    expect(text).toContain('not ok 91 alpha adds');
    const plain = describeRedGates([aGate({ ...red('alpha', '4'), failures: undefined })], 6000);
    expect(plain).toContain('ok 1 alpha works');
  });

  it('keep every gate with its failed tests, however often they are cut', () => {
    const text = describeRedGates([red('alpha', '4'), red('beta', '5')], 3000);
    for (const characters of [2000, 1200, 500]) {
      const part = fitRedGates(fitRedGates(text, characters + 300), characters);
      expect(part.length).toBeLessThanOrEqual(characters);
      for (const [name, found] of [
        ['alpha', '4'],
        ['beta', '5'],
      ] as const)
        expect(part).toContain(
          `gate ${name} (\`npm test\`) ended with 1\nFailed tests:\n- ${name} adds\n    expected 3\n    found ${found}`,
        );
    }
  });
});
