import { describe, expect, test } from 'vitest';
import { rememberSecrets } from '../../../../src/base/known-secrets.ts';
import { maskEntry, maskFacts, type NotedEntry } from '../../../../src/line/core/mask-facts.ts';
import { maskKnownEntry } from '../../../../src/line/record/read-entry.ts';

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
  test('is kept without what has the form of a secret', () => {
    const [at, commit] = ['2026-01-01T00:00:00.000Z', 'a'.repeat(40)];
    expect(maskEntry({ kind: 'remark', at, text: `floor manager: the diff adds ${SECRET}` })).toEqual({
      kind: 'remark',
      at,
      text: 'floor manager: the diff adds ***',
    });
    expect(maskEntry({ kind: 'undone', at, commit, by: SECRET })).toEqual({ kind: 'undone', at, commit, by: '***' });
  });

  test('keeps the names that are compared with git or with an answer, also where a value of this machine is in them', () => {
    const [at, commit, value] = [
      '2026-01-01T00:00:00.000Z',
      'a'.repeat(40),
      ['release', '2026', 'x9Kq7Lm3Zt'].join('-'),
    ];
    rememberSecrets([value]);
    const kept = (entry: NotedEntry): unknown => maskKnownEntry(maskEntry(entry));
    expect(kept({ kind: 'remark', at, text: value })).toMatchObject({ text: '***' });
    const merging = { kind: 'merging', at, target: `refs/heads/${value}`, old: commit, commit, tip: commit } as const;
    expect(kept(merging)).toEqual(merging);
    const context = { window: 1, tokens: 1, whole: [{ path: `${value}.ts`, bytes: 1 }], signatures: [], leftOut: [] };
    const started = { station: 'implementer', call: 1, agent: 'ollama', model: value, prompt: commit } as const;
    const limits = { idleMinutes: 1, hardMinutes: 1, reserveUsd: null };
    expect(kept({ kind: 'started', at, ...started, ...limits, context })).toMatchObject({ model: '***', context });
  });
});
