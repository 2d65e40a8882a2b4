import type { WrittenDriver } from './driver-schema.ts';

/** How calls are billed: `metered` where each reports its price, or the user sets one. */
export interface Priced {
  readonly billing: 'free' | 'metered' | 'unpriced';
  /** Dollars per million tokens, by the user. */
  readonly prices: { readonly in: number; readonly out: number; readonly cached: number } | undefined;
}

/** The cost of calls: free if the user says so, else by the user's prices, or as the program reports. */
export function resolvePrices({ billing, usd_per_million: prices }: WrittenDriver, isTold: boolean): Priced {
  const isPriced = prices !== undefined || isTold;
  return {
    billing: billing === 'free' ? 'free' : isPriced ? 'metered' : 'unpriced',
    prices: prices && { in: prices.in, out: prices.out, cached: prices.cached ?? prices.in },
  };
}
