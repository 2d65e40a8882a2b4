import { expect, test } from 'vitest';
import { countOutside } from '../../../src/agents/drivers/driver-outcome.ts';

const PRICES = { in: 10, out: 100, cached: 1 };
const told = (tokens: number, usd: number | null) => ({ tokensIn: tokens, tokensOut: tokens, cached: null, usd });
const UNKNOWN = { tokensIn: null, tokensOut: null, cached: null, usd: null };

test.each([
  [
    'tokens of the door beside fewer that were told',
    told(1_000_000, null),
    told(1, null),
    undefined,
    told(1_000_000, null),
  ],
  ['the price of these beside fewer dollars', told(1_000_000, null), told(1, 0.01), PRICES, told(1_000_000, 110)],
  ['dollars that were told, where they are more', told(1000, null), told(1, 5), PRICES, told(1000, 5)],
  ['dollars that were told, where no price is known', told(1000, null), told(1, 5), undefined, told(1000, 5)],
  ['free, where no model was asked, whatever was told', told(0, 0), told(1, 5), undefined, told(0, 0)],
  ['nothing, where the door could not count, whatever was told', UNKNOWN, told(1, 0.01), PRICES, UNKNOWN],
] as const)('a call through the door is counted as %s', (_, byDoor, said, prices, counted) => {
  expect(countOutside({ billing: 'unpriced', prices }, byDoor, said)).toEqual(counted);
});
