import { describe, expect, it } from 'vitest';
import { estimateTokens, computeWindow } from '../../../../src/base/estimate-tokens.ts';
import { computeReserve } from '../../../../src/agents/budget/compute-reserve.ts';
import type { Capabilities } from '../../../../src/agents/agent.ts';

const PROMPT = 'word '.repeat(4000);
const WINDOW = computeWindow(estimateTokens(PROMPT));
const wanted = (capabilities: Partial<Capabilities>, usd?: number) =>
  computeReserve({
    agent: { id: 'server', capabilities: { billing: 'metered', takesBudget: false, hasWindow: true, ...capabilities } },
    prompt: PROMPT,
    usd,
    tokens: undefined,
    minutes: 60,
  });

describe('what a call wants to have set aside', () => {
  it('is no more than its window costs at the dearer price, where both are known', () => {
    const prices = { in: 1, out: 4 };
    expect(wanted({ prices }).usd).toBeCloseTo((WINDOW * 4) / 1_000_000);
    expect(wanted({ prices: { in: 9, out: 4 } }).usd).toBeCloseTo((WINDOW * 9) / 1_000_000);
    expect(wanted({ prices }, 0.001).usd).toBe(0.001);
  });

  it('is what its task leaves, where prices or window are not known', () => {
    expect(wanted({}, 2).usd).toBe(2);
    expect(wanted({ hasWindow: false, prices: { in: 1, out: 4 } }).usd).toBeUndefined();
  });
});
