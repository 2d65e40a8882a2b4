import { PERIODS, type Ceilings, type Hours } from '../config/night-settings.ts';
import type { NightRun } from '../ports/ledger.ts';
import { mayBegin, findPeriod } from './hours.ts';
import type { Bound, StartDelay } from './ceilings.ts';

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

/** Whether a night was ended early, so that no paid call may follow. Pure. */
export const isStopped = (night: NightRun | undefined): night is NightRun & { readonly ended: string } =>
  night !== undefined && night.ended !== null && night.how !== 'watched on';

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
    reason: `the night was stopped at ${last.ended} (andon night --stop --keep-watching goes on by your configuration)`,
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
