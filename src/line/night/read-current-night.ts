import { gatherNightFacts, listPastNights, findNight, type Watching } from '../../agents/budget/night-facts.ts';
import type { UserLimits } from '../../project/config/read-settings.ts';
import { isLeft, isWatched, readLedger } from '../calls/open-ledger.ts';
import { explainNoStart, explainStoppedNight } from '../../agents/budget/user-limits.ts';

/**
 * Reads hours, nights and ceilings as a watchdog would: the limits at a moment, and why no task starts. A night whose andon
 * is gone is attended where another watches one of these repositories (`states`): one that watches elsewhere helps them not.
 */
export function readCurrentNight(
  home: string,
  states: readonly string[],
  settings: UserLimits,
  at: string,
  { since = at, stopBefore }: { readonly since?: string } & Pick<Watching, 'stopBefore'> = {},
) {
  const ledger = readLedger(home);
  try {
    const found = gatherNightFacts(settings, { nights: ledger.nights(at), sums: (over) => ledger.sums(over) }, at);
    const night = findNight(ledger.nights(at), at);
    const isDead = night !== undefined && isLeft(night) && !states.some(isWatched);
    const facts = found?.night && isDead ? { ...found, night: { ...found.night, attended: false as const } } : found;
    const past = listPastNights({ nights: ledger.nights(since), sums: (over) => ledger.sums(over) }, at);
    return {
      facts,
      past,
      closed: facts === null ? undefined : explainNoStart({ limits: () => settings, ledger }, at),
      /** Why the watchdog that published this `stopBefore` begins nothing: a night was stopped while it ran. */
      stopped: explainStoppedNight({ ledger, stopBefore }),
    };
  } finally {
    ledger.close();
  }
}
