import type { Hold } from '../record/line-record.ts';

/** How long the line waits for an agent's program, and how often it tries again. */
interface Patience {
  /** Hours after which a hold trips; 0 = never wait. */
  readonly leashHours: number;
  /** Minutes until the first try when nobody says when the program is back; doubled each time. */
  readonly retryMinutes: number;
}

/** Providers' clocks and ours differ; a limit is asked again this long after it is said to end (line.md §2). */
const AFTER_RESET_MS = 60_000;
/** The pause between tries never grows beyond this many times the first one: a server that is back is noticed soon. */
const LONGEST_PAUSE_FACTOR = 15;

/** When a program that is not available is asked again, or that the leash ends before that. Pure. */
export function nextTry(hold: Hold, patience: Patience): { readonly at: string } | { readonly tooLate: string } {
  if (hold.own !== undefined) return { at: hold.until ?? hold.at }; // andon looks by itself, and as long as it takes
  const pause = patience.retryMinutes * Math.min(2 ** (hold.tries - 1), LONGEST_PAUSE_FACTOR) * 60_000;
  const promised = hold.until === null ? 0 : Date.parse(hold.until) + AFTER_RESET_MS;
  const wake = Math.max(Date.parse(hold.at) + pause, promised);
  const leash = Date.parse(hold.since) + patience.leashHours * 3_600_000;
  if (wake <= leash) return { at: new Date(wake).toISOString() };
  return { tooLate: `${whatHolds(hold)}; andon waits ${patience.leashHours} h at most (since ${hold.since})` };
}

/** What the line waits for, in one sentence without the end. */
export const whatHolds = ({ reason, until, own }: Pick<Hold, 'reason' | 'until' | 'own'>): string =>
  until === null ? reason : `${reason} (${own === undefined ? 'works again from' : 'until'} ${until})`;
