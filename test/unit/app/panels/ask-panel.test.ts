import { describe, expect, test } from 'vitest';
import { askPanel } from '../../../../src/app/panels/ask-panel.ts';

/** A world in which no folder can be made, and a ledger that tells which calls were released as never made; settling one would be a call. */
function aWorld(released: unknown[]) {
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
      release: ({ call }: { readonly call: number }) => released.push(call),
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
    const released: unknown[] = [];
    const asked = askPanel(aWorld(released), [seat, seat], material, () => {}, new AbortController().signal);
    await expect(asked).rejects.toThrow('no space left');
    await new Promise((resolve) => setImmediate(resolve));
    expect(new Set(released).size).toBe(2);
    expect(released).toHaveLength(2);
  });
});
