import type { Ledger, Sums } from '../../ports/ledger.ts';

const notHere = (): never => {
  throw new Error('a call needs an open ledger');
};

/** An empty ledger, for commands that make no calls and where the ledger does not exist yet. */
export const NO_LEDGER: Ledger = {
  reserve: notHere,
  settle: notHere,
  release: notHere,
  sums: () => NOTHING_USED,
  open: () => [],
  nights: () => [],
  openNight: notHere,
  takeNight: notHere,
  lastNight: () => undefined,
  endNight: notHere,
  watchOn: notHere,
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
