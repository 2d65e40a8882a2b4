import { describe, expect, test } from 'vitest';
import { reserveFor } from '../../../../src/daemon/calls/who-works.ts';
import { aRecord, withLimits } from '../../../support/records.ts';
import type { Capabilities } from '../../../../src/ports/agent.ts';

const LOCAL: Capabilities = { billing: 'free', takesBudget: false, hasWindow: true };
const capped = aRecord({ contract: withLimits({ budget: { usd: 1, tokens: undefined, minutes: undefined } }) });

describe('what is set aside for the next call', () => {
  test('is no money where the models run on this machine', () => {
    expect(reserveFor(capped, LOCAL, 'a prompt')).toMatchObject({ ok: true, value: { usd: 0 } });
  });

  test.each(['metered', 'unpriced'] as const)(
    'is all that is left where calls are %s: no price is not "free"',
    (billing) => {
      const reserve = reserveFor(capped, { ...LOCAL, billing }, 'a prompt');
      expect(reserve.ok && reserve.value.usd).toBeGreaterThan(0);
    },
  );
});
