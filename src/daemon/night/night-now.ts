import { nightFacts } from '../../night/facts.ts';
import type { UserLimits } from '../../config/user-limits.ts';
import { readLedger } from '../../wiring/open-ledger.ts';
import { whyNothingBegins } from '../../wiring/limits-now.ts';

/**
 * Looks at hours, nights and ceilings as a watchdog would: what the user allows at a moment, and why nothing new begins.
 * Nothing is changed.
 */
export function nightNow(home: string, settings: UserLimits, at: string) {
  const ledger = readLedger(home);
  try {
    const facts = nightFacts(settings, { nights: ledger.nights(at), sums: (over) => ledger.sums(over) }, at);
    return { facts, closed: facts === null ? undefined : whyNothingBegins({ limits: () => settings, ledger }, at) };
  } finally {
    ledger.close();
  }
}
