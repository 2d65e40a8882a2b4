import { nightFacts } from '../../night/facts.ts';
import type { NightFacts } from '../../night/facts.ts';
import type { Wait } from '../../night/wait.ts';
import type { UserLimits } from '../../config/user-limits.ts';
import { readLedger } from '../../wiring/open-ledger.ts';
import { whyNothingBegins } from '../../wiring/limits-now.ts';

/** What the user allows at a moment, and why nothing new begins; for whoever only looks. */
export interface NightNow {
  readonly facts: NightFacts | null;
  readonly closed: Wait | undefined;
}

/** Looks at hours, nights and ceilings as a watchdog would; nothing is changed. */
export function nightNow(home: string, settings: UserLimits, at: string): NightNow {
  const ledger = readLedger(home);
  try {
    const facts = nightFacts(settings, { nights: ledger.nights(at), sums: (over) => ledger.sums(over) }, at);
    return { facts, closed: facts === null ? undefined : whyNothingBegins({ limits: () => settings, ledger }, at) };
  } finally {
    ledger.close();
  }
}
