import { describe, expect, test } from 'vitest';
import { computeCallReserve } from '../../../../src/line/calls/resolve-worker.ts';
import { aRecord, withLimits } from '../../../support/records.ts';
import type { Capabilities } from '../../../../src/agents/agent.ts';

const LOCAL: Capabilities = { billing: 'free', takesBudget: false, hasWindow: true };
const capped = aRecord({ contract: withLimits({ budget: { usd: 1, tokens: undefined, minutes: undefined } }) });

describe('what is set aside for the next call', () => {
  test('is no money where the models run on this machine', () => {
    expect(computeCallReserve(capped, LOCAL, 'a prompt')).toMatchObject({ ok: true, value: { usd: 0 } });
  });

  test.each(['metered', 'unpriced'] as const)(
    'is all that is left where calls are %s: no price is not "free"',
    (billing) => {
      const reserve = computeCallReserve(capped, { ...LOCAL, billing }, 'a prompt');
      expect(reserve.ok && reserve.value.usd).toBeGreaterThan(0);
    },
  );

  test('is refused with a limit of less than a cent as it is', () => {
    const small = aRecord({ contract: withLimits({ budget: { usd: 0.0031, tokens: undefined, minutes: undefined } }) });
    expect(computeCallReserve(small, { ...LOCAL, billing: 'metered' }, 'a prompt')).toMatchObject({
      ok: false,
      why: { part: 'usd', reason: '$0.0031 of $0.0031 is left; the next call needs at least $0.01' },
    });
  });

  test('is refused where the calls of a round together need more minutes than there are', () => {
    const timed = aRecord({ contract: withLimits({ budget: { usd: undefined, tokens: undefined, minutes: 25 } }) });
    const known = { usd: 0, tokens: 0, minutes: 20 };
    expect(computeCallReserve(timed, LOCAL, 'a prompt', known).ok).toBe(true);
    expect(computeCallReserve(timed, LOCAL, 'a prompt', known, 3)).toMatchObject({
      ok: false,
      why: { part: 'minutes', reason: expect.stringContaining('the 3 calls of this round need about 20.0 each') },
    });
  });
});
