import { PERIODS } from '../config/night-settings.ts';
import type { Ceilings, Hours } from '../config/night-settings.ts';
import type { NightRun } from '../ports/ledger.ts';
import { mayBegin } from './hours.ts';
import { periodAt } from './periods.ts';
import type { Bound } from './ceilings.ts';
import type { Wait } from './wait.ts';

/**
 * The night that is open at this moment: the one that was opened last. One that was opened later than now was so by a
 * clock that has been set back since, and is open all the same. Pure.
 */
export const nightAt = (nights: readonly NightRun[], at: string): NightRun | undefined =>
  nights.findLast(({ until, ended }) => at < until && ended === null);

/** Why nothing is paid for while the clock shows a time before the night was opened: what it has used would not be found. Pure. */
export const whyTooEarly = (night: NightRun | undefined, at: string): Wait | undefined =>
  night === undefined || night.from <= at
    ? undefined
    : { own: 'night', reason: `the clock was set back to before the night was opened`, until: night.from };

/** Who asks, as far as nights that were ended early concern it. */
export interface Watching {
  /** The night that it was started for: it ends with it. */
  readonly ownNight?: number | undefined;
  /** The last night that had been ended when it began to watch, 0 = none; undefined = stopping a night does not hold it. */
  readonly stopBefore?: number | undefined;
}

/** Whether a night was ended before its time, so that nothing may be paid after it. Pure. */
export const isStopped = (night: NightRun | undefined): night is NightRun & { readonly ended: string } =>
  night !== undefined && night.ended !== null && night.how !== 'watched on';

/**
 * Why nothing begins after a night was ended early: its ceiling is gone, and nobody said that more may be paid. It holds
 * whoever watched then, until it is started again, a new night is opened, or somebody lets it go on. Pure.
 */
export function whyNightStops(last: NightRun | undefined, { ownNight, stopBefore }: Watching): Wait | undefined {
  if (ownNight !== undefined && (last?.id !== ownNight || last.ended !== null))
    return { own: 'night', reason: 'the night was stopped', until: null };
  if (stopBefore === undefined || !isStopped(last) || last.id === stopBefore) return undefined;
  return {
    own: 'night',
    reason: `the night was stopped at ${last.ended} (andon night --stop --keep-watching goes on by your configuration)`,
    until: null,
  };
}

/** Why what takes so many minutes at most does not begin now: it could not be over in time. Pure. */
export function whyNotNow(
  {
    hours,
    night,
    ends,
  }: {
    readonly hours: Hours;
    readonly night: NightRun | undefined;
    /** When whoever asks ends itself: its night may be over already, by a clock that jumped or a machine that slept. */
    readonly ends?: string | undefined;
  },
  at: string,
  minutes: number,
): Wait | undefined {
  const early = whyTooEarly(night, at);
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

/** Every ceiling that counts at a moment: those that are configured, and that of the night that was opened. Pure. */
export function boundsAt({ all, accounts }: Ceilings, night: NightRun | undefined, at: string): readonly Bound[] {
  const configured = [[undefined, all] as const, ...Object.entries(accounts)].flatMap(([account, per]) =>
    PERIODS.flatMap((name): readonly Bound[] => {
      const limit = per[name];
      return limit === undefined ? [] : [{ own: 'ceiling', name, account, ...periodAt(name, at), limit }];
    }),
  );
  if (night === undefined || (night.usd === null && night.tokens === null)) return configured;
  const limit = { usd: night.usd ?? undefined, tokens: night.tokens ?? undefined };
  return [
    { own: 'night', name: 'this night', account: undefined, from: night.from, to: night.until, limit },
    ...configured,
  ];
}
