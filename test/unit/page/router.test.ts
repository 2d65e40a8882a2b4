import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRoute } from '../../../src/page/router.ts';

it('reads the page, the task and what is asked for from an address', () => {
  const { asked, ...place } = parseRoute('/halt/repo-1/FIX%2F1?halt=FIX-1-2');
  expect(place).toEqual({ kind: 'halt', repository: 'repo-1', task: 'FIX/1' });
  expect(asked.get('halt')).toBe('FIX-1-2');
  expect(parseRoute('/')).toMatchObject({ kind: '', repository: '', task: '' });
  expect(parseRoute('/?repository=a').asked.get('repository')).toBe('a');
});

it('takes an address that was cut off or typed wrong as it is, and fails on none', () => {
  expect(parseRoute('/task/a/%E0%A4%A')).toMatchObject({ kind: 'task', task: '%E0%A4%A' });
  fc.assert(fc.property(fc.string(), (text) => typeof parseRoute(`/${text}`).kind === 'string'));
});
