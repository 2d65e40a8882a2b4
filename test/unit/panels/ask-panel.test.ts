import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../src/line/charge.ts';
import { askPanel } from '../../../src/panels/ask-panel.ts';

/** A world in which no folder can be made, and a ledger that tells what was settled. */
function aWorld(settled: Charge[]) {
  const refuse = (): never => {
    throw new Error('ENOSPC: no space left on device');
  };
  return {
    clock: { now: () => '2026-01-16T12:00:00.000Z' },
    folders: { empty: refuse, desk: refuse, tidy: () => {} },
    limits: () => ({ ceilings: { call: {}, all: {}, accounts: {} } }),
    stateName: 'here',
    ledger: {
      nights: () => [],
      reserve: () => ({ ok: true, value: { usd: 5, tokens: 1000, minutes: 60, calls: 1 } }),
      settle: (_: unknown, charge: Charge) => settled.push(charge),
    },
  } as unknown as Parameters<typeof askPanel>[0];
}

const seat = {
  profile: { name: 'sec', roles: [] },
  worker: {
    agent: { id: 'codex', capabilities: { billing: 'unpriced' }, worksAt: ['local-reviewer'] },
    model: 'm1',
    limits: { idleMinutes: undefined, hardMinutes: undefined },
  },
  rules: [],
} as unknown as Parameters<typeof askPanel>[1][number];

const material = {
  asked: 'A review.',
  gates: '',
  diff: '+a',
  nonce: 'n',
  tree: 't',
  layOut: undefined,
} as unknown as Parameters<typeof askPanel>[2];

describe('a review whose folders cannot be made', () => {
  test('fails, and nothing that was set aside for calls that were never made stays so', async () => {
    const settled: Charge[] = [];
    const asked = askPanel(aWorld(settled), [seat, seat], material, () => {}, new AbortController().signal);
    await expect(asked).rejects.toThrow('no space left');
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled.map(({ usd, tokens }) => [usd, tokens])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});
