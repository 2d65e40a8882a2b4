/** @module-tag thorough */
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { FINAL, writes } from '../support/scenario.ts';
import { PATH } from '../support/versions.ts';

/** No form gives it away. */
const KEY = ['mykey', 'CANARY', '99ghiX'].join('');

/** A line whose implementer answers in text with this document, on a branch that holds that one. */
async function aLine(before: string, after: string): Promise<Factory> {
  const factory = await aFactory({
    files: { [PATH]: before },
    scenario: { implementer: [writes({ [PATH]: after })] },
  });
  factory.env['SHOP_TOKEN'] = KEY;
  return factory;
}

const written = (factory: Factory): string => factory.git('log', '--all', '-p', '--', PATH);

test('an implementer that answers in text with a known secret changes nothing, and no stars are merged in its place', async () => {
  const factory = await aLine('# Draft\n', `${FINAL}\nThe token is ${KEY}.\n`);
  expect((await factory.run(aContract({ 'limits.max_review_cycles': 1 }))).status).toBe('erik_consultation');
  expect(factory.paper('ERIK_HALT.md')).toContain('holds the value of a key or a password of this machine');
  expect(factory.paper('ERIK_HALT.md')).not.toContain(KEY);
  expect(written(factory)).not.toMatch(/\*{3}|CANARY/);
});

test('an implementer that writes back what was masked for it is told so, and the value stays', async () => {
  const factory = await aLine(`# Draft\n\nThe token is ${KEY}.\n`, `${FINAL}\nThe token is ***.\n`);
  expect((await factory.run(aContract({ 'limits.max_review_cycles': 1 }))).status).toBe('erik_consultation');
  expect(factory.paper('ERIK_HALT.md')).toContain('writes *** where a value of this machine was masked');
  expect(factory.calls().filter(({ prompt }) => prompt.includes(KEY))).toEqual([]);
  expect(written(factory)).not.toContain('***');
});

test('an implementer that leaves a line alone with a known secret in it changes the rest of the file', async () => {
  const factory = await aLine(`# Draft\n\nThe token is ${KEY}.\n`, `${FINAL}\nThe token is ${KEY}.\n`);
  expect((await factory.run(aContract())).status, factory.paper('ERIK_HALT.md')).toBe('merged');
  expect(factory.git('show', `main:${PATH}`)).toContain(`The token is ${KEY}.`);
});
