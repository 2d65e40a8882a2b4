import { expect, test } from 'vitest';
import { readTaskMetadata } from '../../../../src/project/contract/read-task-metadata.ts';

test('scenario and variables are read, and nothing else', () => {
  const metadata = { scenario: ' complaint ', vars: { tier: 'VIP', seats: 3, tags: ['a'] }, notes: 'x' };
  expect(readTaskMetadata({ metadata })).toEqual({
    scenario: 'complaint',
    vars: { tier: 'VIP', seats: 3, tags: ['a'] },
    notices: [],
  });
  for (const none of [{}, { metadata: null }, { metadata: 'text' }, { metadata: [] }])
    expect(readTaskMetadata(none)).toEqual({ vars: {}, notices: [] });
});

test.each([
  [{ scenario: 7 }, 'metadata.scenario is no name'],
  [{ vars: ['a'] }, 'metadata.vars is no object'],
  [{ vars: { __proto: 1, ok: 2 } }, 'left out __proto;'],
  [{ vars: { deep: { a: 1 } } }, 'left out deep;'],
  [{ vars: { 'a b': 1 } }, 'left out a b;'],
])('%j is said to be left out', (metadata, notice) => {
  const read = readTaskMetadata({ metadata });
  expect(read.notices).toEqual([expect.stringContaining(notice)]);
  expect(read.vars).toEqual('ok' in ((metadata as { vars?: object }).vars ?? {}) ? { ok: 2 } : {});
});
