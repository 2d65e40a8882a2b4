import type { NightRun } from '../ports/ledger.ts';

/** How a night went that was opened by hand. */
export interface NightReport {
  readonly from: string;
  readonly until: string;
  readonly went: 'over' | 'cut short' | 'under way';
  /** Why it was cut short, in words; null where it was not. */
  readonly what: string | null;
  /** Tasks that waited for the night, its ceilings or hours and did not resume in it, each with the reason. */
  readonly could_not_begin?: readonly string[];
  /** The command that goes on with an open night whose andon died, and its folder. */
  readonly goes_on?: { readonly repository: string; readonly command: string };
}

/** A digest after a long absence tells of this many nights. */
const MOST = 5;

/** How the nights of a time went, by the ledger; `isDead` means that the andon of the open one died. Pure. */
export const reportNights = (
  { nights, isDead }: { readonly nights: readonly NightRun[]; readonly isDead: boolean },
  from: string,
  to: string,
): readonly NightReport[] =>
  nights
    .filter((night) => night.until > from && night.from < to)
    .map((night) => ({ from: night.from, until: night.until, ...went(night, to, isDead) }))
    .toSorted((one, two) => one.from.localeCompare(two.from))
    .slice(-MOST);

function went({ until, ended, how }: NightRun, now: string, isDead: boolean): Pick<NightReport, 'went' | 'what'> {
  if (ended !== null) return { went: 'cut short', what: `${HOW[how ?? 'stopped']} at ${ended}` };
  if (until <= now) return { went: 'over', what: null };
  return isDead ? { went: 'cut short', what: 'no andon is alive in it' } : { went: 'under way', what: null };
}

const HOW: Readonly<Record<NonNullable<NightRun['how']>, string>> = {
  stopped: 'it was ended early',
  'watched on': 'it was ended early',
  'broke off': 'its andon broke off',
};

/** A night in words; `what` gives the reason. */
export const formatNightReport = ({ from, until, went: how }: NightReport, when: (at: string) => string): string =>
  `the night from ${when(from)} to ${when(until)}: ${how}`;
