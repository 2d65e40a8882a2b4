import type { WrittenDriver } from './driver-schema.ts';

/** How calls are billed: `metered` where each tells its price, or the user does. */
export interface Priced {
  readonly billing: 'free' | 'metered' | 'unpriced';
  /** Dollars per million tokens, as the user says them. */
  readonly prices: { readonly in: number; readonly out: number; readonly cached: number } | undefined;
}

/** What calls cost: nothing where the user says so, else by the user's prices, or as the program tells. */
export function pricesOf({ billing, usd_per_million: prices }: WrittenDriver, isTold: boolean): Priced {
  const isPriced = prices !== undefined || isTold;
  return {
    billing: billing === 'free' ? 'free' : isPriced ? 'metered' : 'unpriced',
    prices: prices && { in: prices.in, out: prices.out, cached: prices.cached ?? prices.in },
  };
}
