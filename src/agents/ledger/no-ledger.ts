import type { Ledger, Sums } from '../ledger.ts';

const refuseUse = (): never => {
  throw new Error('a call needs an open ledger');
};

/** An empty ledger, for commands that make no calls and where the ledger does not exist yet. */
export const NO_LEDGER: Ledger = {
  reserve: refuseUse,
  settle: refuseUse,
  release: refuseUse,
  sums: () => NOTHING_USED,
  open: () => [],
  nights: () => [],
  openNight: refuseUse,
  takeNight: refuseUse,
  lastNight: () => undefined,
  endNight: refuseUse,
  watchOn: refuseUse,
  close: () => {},
};

/** No call at all. */
export const NOTHING_USED: Sums = {
  calls: 0,
  usd: 0,
  tokens: 0,
  minutes: 0,
  unknownUsd: 0,
  unknownTokens: 0,
  open: { calls: 0, usd: 0, tokens: 0, minutes: 0 },
};
