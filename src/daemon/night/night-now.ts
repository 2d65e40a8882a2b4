import { nightFacts, pastNights } from '../../night/facts.ts';
import type { UserLimits } from '../../config/user-limits.ts';
import { nightAt } from '../../night/limits.ts';
import { isAnyWatched, isLeft, readLedger } from '../../wiring/open-ledger.ts';
import { whyNothingBegins } from '../../wiring/limits-now.ts';

/**
 * Looks at hours, nights and ceilings as a watchdog would: what the user allows at a moment, and why nothing new begins.
 * Nothing is changed.
 */
export function nightNow(home: string, settings: UserLimits, at: string, since = at) {
  const ledger = readLedger(home);
  try {
    const found = nightFacts(settings, { nights: ledger.nights(at), sums: (over) => ledger.sums(over) }, at);
    const night = nightAt(ledger.nights(at), at);
    const isDead = night !== undefined && isLeft(night) && !isAnyWatched(home);
    const facts = found?.night && isDead ? { ...found, night: { ...found.night, attended: false as const } } : found;
    const past = pastNights({ nights: ledger.nights(since), sums: (over) => ledger.sums(over) }, at);
    return {
      facts,
      past,
      closed: facts === null ? undefined : whyNothingBegins({ limits: () => settings, ledger }, at),
    };
  } finally {
    ledger.close();
  }
}
