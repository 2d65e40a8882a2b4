import { expect, test } from 'vitest';
import { parseJsonObject } from '../../../src/base/json-object.ts';

const pidIn = (text: string): object | undefined => parseJsonObject<{ readonly pid: number }>(text, ['pid']);

test('an object that says what is needed is taken as it stands', () => {
  expect(pidIn('{"pid": 7, "more": null}')).toEqual({ pid: 7, more: null });
});

test.each(['', '{"pid": 7', 'null', '7', '"pid"', '[]', '{}', '{"__proto__": {"pid": 7}}'])('%j is none', (text) => {
  expect(pidIn(text)).toBeUndefined();
});
