import { expect, it } from 'vitest';
import { toPlainTexts } from '../../../src/base/plain-texts.ts';

it('shows what is hidden in every text of an answer, names of keys included', () => {
  const told = toPlainTexts({ a: ['\u202eevil', { 'k\u200b': 'x\u001b[2J' }], n: 1, z: null, t: true });
  expect(told).toEqual({ a: ['\\u{202e}evil', { 'k\\u{200b}': 'x\\u{1b}[2J' }], n: 1, z: null, t: true });
});
