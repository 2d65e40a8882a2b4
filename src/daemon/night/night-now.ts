import { nightFacts } from '../../night/facts.ts';
import type { NightFacts } from '../../night/facts.ts';
import { closedInWords } from '../../night/wait.ts';
import type { Settings } from '../../config/config.ts';
import { readLedger } from '../wiring/open-ledger.ts';
import { whyNothingBegins } from './limits-now.ts';

/** What the user allows at a moment, and why nothing new begins; for whoever only looks. */
export interface NightNow {
  readonly facts: NightFacts | null;
  readonly closed: string | undefined;
}

/** Looks at hours, nights and ceilings as a watchdog would; nothing is changed. */
export function nightNow(home: string, settings: Pick<Settings, 'hours' | 'ceilings'>, at: string): NightNow {
  const ledger = readLedger(home);
  try {
    const facts = nightFacts(settings, { nights: ledger.nights(at), sums: (over) => ledger.sums(over) }, at);
    const wait = facts === null ? undefined : whyNothingBegins({ settings, ledger }, at);
    return { facts, closed: wait === undefined ? undefined : closedInWords(wait) };
  } finally {
    ledger.close();
  }
}
