import type { Hold } from '../record/task-record.ts';

/** How long the line waits for an agent's program, and how often it retries. */
interface Patience {
  /** Hours after which a hold trips; 0 = never wait. */
  readonly leashHours: number;
  /** Minutes until the first retry when the program gives no time; doubled each time. */
  readonly retryMinutes: number;
}

/** Clocks differ: a limit is retried this long after its announced end. */
const AFTER_RESET_MS = 60_000;
/** The longest pause, in multiples of the first: a restored server is noticed soon. */
const LONGEST_PAUSE_FACTOR = 15;

/**
 * The next retry of an agent that is out of reach (a provider limit, HTTP 429, an outage), with exponential backoff; or that
 * the wait ends before it. Pure. `call-agent.ts` waits and retries.
 */
export function computeNextTry(hold: Hold, patience: Patience): { readonly at: string } | { readonly tooLate: string } {
  if (hold.own !== undefined) return { at: hold.until ?? hold.at }; // andon's own limits have no deadline
  const pause = patience.retryMinutes * Math.min(2 ** (hold.tries - 1), LONGEST_PAUSE_FACTOR) * 60_000;
  const promised = hold.until === null ? 0 : Date.parse(hold.until) + AFTER_RESET_MS;
  const wake = Math.max(Date.parse(hold.at) + pause, promised);
  const leash = Date.parse(hold.since) + patience.leashHours * 3_600_000;
  if (wake <= leash) return { at: new Date(wake).toISOString() };
  return { tooLate: `${describeHold(hold)}; andon waits ${patience.leashHours} h at most (since ${hold.since})` };
}

/** A call that waits, for its program or for one of andon's own limits: in words, and why. */
export const viewHold = (hold: Pick<Hold, 'station' | 'reason' | 'until' | 'own'>) => ({
  phrase: hold.own === undefined ? `waits for the ${hold.station}` : 'waits',
  why: describeHold(hold),
});

/** Why a call waits, and until when. */
export const describeHold = ({ reason, until, own }: Pick<Hold, 'reason' | 'until' | 'own'>): string =>
  until === null ? reason : `${reason} (${own === undefined ? 'works again from' : 'until'} ${until})`;
