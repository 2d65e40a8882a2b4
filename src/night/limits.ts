import { PERIODS } from '../config/night-settings.ts';
import type { Ceilings, Hours } from '../config/night-settings.ts';
import type { NightRun } from '../ports/ledger.ts';
import { mayBegin } from './hours.ts';
import { periodAt } from './periods.ts';
import type { Bound } from './ceilings.ts';
import type { Wait } from './wait.ts';

/** The night that a moment lies in: the one that was opened last. Pure. */
export const nightAt = (nights: readonly NightRun[], at: string): NightRun | undefined =>
  nights.findLast(({ from, until, ended }) => from <= at && at < until && (ended === null || at < ended));

/** Why what takes so many minutes at most does not begin now: it could not be over in time. Pure. */
export function whyNotNow(
  { hours, night }: { readonly hours: Hours; readonly night: NightRun | undefined },
  at: string,
  minutes: number,
): Wait | undefined {
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
