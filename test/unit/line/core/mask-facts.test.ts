import { describe, expect, test } from 'vitest';
import { maskEntry, maskFacts } from '../../../../src/line/core/mask-facts.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ['ghp', 'a8Zk3LqW9tYb2Xc7Vn4Mp6Rs1Df5Gh0JkQeT'].join('_');
const RESULT = {
  name: 'test',
  run: `test ${SECRET}`,
  outcome: 'red',
  base: 'green',
  blocks: true,
  exit: 1,
  ms: 1,
} as const;

describe('the facts of a step', () => {
  test('are masked in every field that no later step compares', () => {
    const { budget, todos, canary, gates, baseRed } = maskFacts({
      budget: `the budget is used: ${SECRET}`,
      todos: [{ text: SECRET, state: 'pending' }],
      canary: { flaw: SECRET, verdict: 'PASS' },
      gates: {
        tree: 'a',
        cage: 'none',
        results: [{ ...RESULT, output: SECRET, why: SECRET, failures: [{ name: SECRET, message: SECRET }] }],
      },
      baseRed: { gate: 'test', run: 'test', commit: 'a', tree: 'a', outcome: 'red', exit: 1, output: SECRET, also: [] },
    });
    expect(JSON.stringify({ budget, todos, canary, baseRed })).not.toContain(SECRET);
    expect(gates?.results).toEqual([
      { ...RESULT, output: '***', why: '***', failures: [{ name: '***', message: '***' }] },
    ]);
  });

  test('stay exact where andon writes them back', () => {
    const facts = {
      partial: { head: 'a', kept: [{ kind: 'write', path: 'a', content: SECRET } as const], failed: [] },
      scopeRefused: [`${SECRET}.txt`],
      editedDocument: { key: SECRET },
    };
    expect(maskFacts(facts)).toEqual(facts);
  });
});

describe('an entry of the journal', () => {
  test('is kept without what has the form of a secret, whatever its kind', () => {
    const [at, commit] = ['2026-01-01T00:00:00.000Z', 'a'.repeat(40)];
    expect(maskEntry({ kind: 'remark', at, text: `floor manager: the diff adds ${SECRET}` })).toEqual({
      kind: 'remark',
      at,
      text: 'floor manager: the diff adds ***',
    });
    expect(maskEntry({ kind: 'undone', at, commit, by: SECRET })).toEqual({ kind: 'undone', at, commit, by: '***' });
  });
});
