import { type Ceilings, type Hours, PERIODS } from '../../project/config/night-settings.ts';
import type { NightRun, Over, Sums } from '../ledger.ts';
import { formatAmount, nameCeiling, EVERY, type Bound, type CeilingUnit, type StartDelay } from './ceilings.ts';
import { openSpans, mayBegin, findPeriod } from './hours.ts';

/** Usage of one of the user's ceilings, over all repositories. */
export interface CeilingUse {
  readonly ceiling: string;
  readonly period: Bound['name'];
  /** Null = all accounts together. */
  readonly account: string | null;
  readonly of: CeilingUnit;
  readonly from: string;
  readonly until: string;
  /** Null = not fully known. */
  readonly used: number | null;
  readonly at_least: number;
  /** The part that running calls have reserved. */
  readonly set_aside: number;
  readonly limit: number;
}

export interface NightFacts {
  readonly night:
    | (Pick<NightRun, 'from' | 'until' | 'usd' | 'tokens'> & {
        /** Its andon died: no process watches in it. */
        readonly attended?: false;
      })
    | null;
  readonly hours: { readonly open: boolean; readonly changes: string | null } | null;
  readonly ceilings: readonly CeilingUse[];
}

const WEEK_MS = 8 * 24 * 3_600_000;

/** Null where nothing is configured and no night is open. Pure. */
export function gatherNightFacts(
  { hours, ceilings }: { readonly hours: Hours; readonly ceilings: Ceilings },
  { nights, sums }: { readonly nights: readonly NightRun[]; readonly sums: (over: Over) => Sums },
  at: string,
): NightFacts | null {
  const night = findNight(nights, at);
  const bounds = listBoundsAt(ceilings, night, at);
  const isSet = hours.open.length + hours.closed.length > 0;
  if (night === undefined && bounds.length === 0 && !isSet) return null;
  return {
    night: night === undefined ? null : { from: night.from, until: night.until, usd: night.usd, tokens: night.tokens },
    hours: isSet ? hoursAt(hours, Date.parse(at)) : null,
    ceilings: bounds.flatMap((bound) => useOf(bound, sums(bound))),
  };
}

/** Usage of each ended night's own ceilings, oldest first; zeros included. Pure. */
export const listPastNights = (
  { nights, sums }: { readonly nights: readonly NightRun[]; readonly sums: (over: Over) => Sums },
  at: string,
): readonly CeilingUse[] =>
  nights
    .filter((night) => night.ended !== null || night.until <= at)
    .flatMap((night) =>
      listBoundsAt(NO_CEILINGS, night, night.from).flatMap((bound) =>
        useOf(bound, sums({ ...bound, to: night.ended ?? bound.to })),
      ),
    );

const NO_CEILINGS: Ceilings = { call: {}, all: {}, accounts: {} };

function useOf(bound: Bound, all: Sums): readonly CeilingUse[] {
  return EVERY.flatMap((of): readonly CeilingUse[] => {
    const limit = bound.limit[of];
    if (limit === undefined) return [];
    const unknown = { usd: all.unknownUsd, tokens: all.unknownTokens, minutes: 0, calls: 0 }[of];
    const used = all[of];
    return [
      {
        ceiling: nameCeiling(bound),
        period: bound.name,
        account: bound.account ?? null,
        of,
        from: bound.from,
        until: bound.to,
        used: unknown > 0 ? null : used,
        at_least: used,
        set_aside: all.open[of],
        limit,
      },
    ];
  });
}

/** The usage of one ceiling in words, without its reset time. */
export function formatNightCeiling({ ceiling, of, used, at_least: least, set_aside: open, limit }: CeilingUse): string {
  const spent = used === null ? `at least ${formatAmount(of, least)}` : formatAmount(of, used);
  const aside = open > 0 ? ` (${formatAmount(of, open)} reserved for calls that run)` : '';
  return `${ceiling}: ${spent} of ${formatAmount(of, limit)}${aside}`;
}

export function formatNight({ night, hours, ceilings }: NightFacts): readonly string[] {
  return [
    ...(night === null
      ? []
      : [
          `a night is open until ${night.until}${night.attended === false ? '; its andon is not alive: andon night goes on with it' : ''}`,
        ]),
    ...(hours === null ? [] : formatHours(hours)),
    ...ceilings.map((one) => `ceiling ${formatNightCeiling(one)}, until ${one.until}`),
  ];
}

/** Windows repeat every week: what fits into none of them never starts. */
function formatHours({ open, changes }: NonNullable<NightFacts['hours']>): readonly string[] {
  if (changes !== null) return [`hours: ${open ? 'open' : 'closed'} until ${changes}`];
  return open ? [] : ['hours: never open'];
}

function hoursAt(hours: Hours, now: number): NonNullable<NightFacts['hours']> {
  const [first] = openSpans(hours, now, now + WEEK_MS);
  const isOpen = first?.from === now;
  const changes = isOpen ? first.to : first?.from;
  const isKnown = changes !== undefined && changes < now + WEEK_MS;
  return { open: isOpen, changes: isKnown ? new Date(changes).toISOString() : null };
}

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

/** The night opened last. After a clock was set back, its opening may be in the future; it is open all the same. Pure. */
export const findNight = (nights: readonly NightRun[], at: string): NightRun | undefined =>
  nights.findLast(({ until, ended }) => at < until && ended === null);

/** Why no paid call starts while the clock is before the night's opening: its usage would not be found. Pure. */
export const explainTooEarly = (night: NightRun | undefined, at: string): StartDelay | undefined =>
  night === undefined || night.from <= at
    ? undefined
    : { own: 'night', reason: `the clock was set back to before the night was opened`, until: night.from };

/** The caller, as far as nights that were ended early concern it. */
export interface Watching {
  /** The night that it was started for and ends with. */
  readonly ownNight?: number | undefined;
  /** The last night that had ended when it began to watch, 0 = none; undefined = an ended night does not hold it. */
  readonly stopBefore?: number | undefined;
}

/** How and when a night ended early; undefined if it had lasted to its end by then, whatever ended it. Pure. */
export const findEarlyEnd = <How>(
  how: How | undefined,
  { now, until }: { readonly now: string; readonly until: string },
): { readonly at: string; readonly how: How } | undefined =>
  how === undefined || now >= until ? undefined : { at: now, how };

/** Whether a night was ended early, so that no paid call may follow. Pure. */
export const isStopped = (night: NightRun | undefined): night is NightRun & { readonly ended: string } =>
  night !== undefined && night.ended !== null && night.how !== 'watched on';

/** Releases the daemons that a stopped night holds. */
export const KEEP_WATCHING = 'andon night --stop --keep-watching';

/**
 * Why nothing starts after a night was ended early: its ceiling is gone. It holds running daemons until a restart, a
 * new night or a release by the user. Pure.
 */
export function explainNightStop(
  last: NightRun | undefined,
  { ownNight, stopBefore }: Watching,
): StartDelay | undefined {
  if (ownNight !== undefined && (last?.id !== ownNight || last.ended !== null))
    return { own: 'night', reason: 'the night was stopped', until: null };
  if (stopBefore === undefined || !isStopped(last) || last.id === stopBefore) return undefined;
  return {
    own: 'night',
    reason: `the night was stopped at ${last.ended}; \`${KEEP_WATCHING}\` lets it go on`,
    until: null,
  };
}

/** Why a step of at most this many minutes does not start now: it would not end in time. Pure. */
export function explainNotNow(
  {
    hours,
    night,
    ends,
  }: {
    readonly hours: Hours;
    readonly night: NightRun | undefined;
    /** When the caller itself ends: its night may be over after a clock jump or sleep. */
    readonly ends?: string | undefined;
  },
  at: string,
  minutes: number,
): StartDelay | undefined {
  const early = explainTooEarly(night, at);
  if (early !== undefined) return early;
  if (ends !== undefined && at >= ends) return { own: 'night', reason: `the night ended at ${ends}`, until: null };
  const long = minutes === 0 ? '' : `, and the next step may take ${Math.ceil(minutes)} minutes`;
  if (night !== undefined && Date.parse(at) + minutes * 60_000 > Date.parse(night.until))
    return { own: 'night', reason: `the night ends at ${night.until}${long}`, until: night.until };
  const may = mayBegin(hours, at, minutes);
  if (may.may) return undefined;
  const { because, closes, opens } = may;
  if (opens === undefined && minutes === 0) return { own: 'hours', reason: '`hours` are never open', until: null };
  if (opens === undefined)
    return {
      own: 'hours',
      reason: `no time of \`hours\` is as long as the next step may take (${Math.ceil(minutes)} minutes): make one longer, or name a shorter limits.hard_limit_minutes`,
      until: null,
    };
  const reason = because === 'closed' ? `\`hours\` are closed` : `\`hours\` close at ${closes ?? ''}${long}`;
  return { own: 'hours', reason, until: opens };
}

/** All ceilings at a moment: the configured ones and that of the open night. Pure. */
export function listBoundsAt({ all, accounts }: Ceilings, night: NightRun | undefined, at: string): readonly Bound[] {
  const configured = [[undefined, all] as const, ...Object.entries(accounts)].flatMap(([account, per]) =>
    PERIODS.flatMap((name): readonly Bound[] => {
      const limit = per[name];
      return limit === undefined ? [] : [{ own: 'ceiling', name, account, ...findPeriod(name, at), limit }];
    }),
  );
  if (night === undefined || (night.usd === null && night.tokens === null)) return configured;
  const limit = { usd: night.usd ?? undefined, tokens: night.tokens ?? undefined };
  return [
    { own: 'night', name: 'this night', account: undefined, from: night.from, to: night.until, limit },
    ...configured,
  ];
}
