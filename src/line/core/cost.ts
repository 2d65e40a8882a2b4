import type { HeldEntry, JournalEntry, Started } from '../record/journal-entry.ts';
import { STATIONS, type StationId } from '../../base/names.ts';
import { normaliseUsage, roundToMicros, toMicroDollars } from '../../agents/budget/normalise-usage.ts';
import { chargeCall, chargeFigures, chargeHeld } from '../../agents/budget/charge.ts';
import type { SettledCall } from '../../agents/ledger.ts';

/** Usage of calls in both currencies: dollars for the provider, minutes for the machine. */
export interface Cost {
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Reported dollars. */
  readonly usd: number;
  readonly minutes: number;
  /** Calls without reported cost or tokens: the sums are lower bounds. */
  readonly unknown: number;
  /** Calls without reported tokens. */
  readonly unknownTokens: number;
  /** Calls without reported cost, and the dollars that budgets are charged for them: the reserve, or an estimate. */
  readonly unpriced: number;
  readonly reservedUsd: number;
}

const NOTHING: Cost = {
  calls: 0,
  tokensIn: 0,
  tokensOut: 0,
  usd: 0,
  minutes: 0,
  unknown: 0,
  unknownTokens: 0,
  unpriced: 0,
  reservedUsd: 0,
};
const AMOUNTS = Object.keys(NOTHING) as (keyof Cost)[];

/**
 * Sums the calls of a task's journal from a moment on; what interrupted calls did not report is unknown. `open` was running
 * before these entries.
 */
export function computeCost(entries: readonly JournalEntry[], since = '', open?: Started) {
  const rows = new Map<string, Cost & { station: StationId; model: string }>();
  for (const entry of entries) {
    if (entry.kind === 'started') {
      open = entry;
      continue;
    }
    if (entry.kind !== 'called' && entry.kind !== 'interrupted' && entry.kind !== 'held') continue;
    if (entry.at < since || (entry.kind === 'held' && !hasUsed(entry))) continue;
    const call = entry.kind === 'called' ? entry : open;
    const name = call === undefined ? '' : formatModelName(call);
    const key = `${entry.station} ${name}`;
    const row = rows.get(key) ?? { ...NOTHING, station: entry.station, model: name };
    rows.set(key, { ...row, ...sum([row, usedBy(entry, open)]) });
  }
  const sorted = [...rows.values()].toSorted(
    (one, two) => STATIONS.indexOf(one.station) - STATIONS.indexOf(two.station),
  );
  return { rows: sorted, total: sum(sorted) };
}

/** Usage of one task's calls by the day (UTC) of their end, oldest first. */
export function computeCostsByDay(entries: readonly JournalEntry[]): readonly (Cost & { readonly day: string })[] {
  const days = [...new Set(entries.map(({ at }) => at.slice(0, 10)))].toSorted();
  return days.flatMap((day) => {
    const { total } = computeCost(
      entries.filter(({ at }) => at.slice(0, 10) <= day),
      day,
    ); // a call may have started the day before
    return total.calls === 0 && total.minutes === 0 ? [] : [{ day, ...total }];
  });
}

export function sum(costs: readonly Cost[]): Cost {
  const total = (of: keyof Cost): number => costs.reduce((all, cost) => all + cost[of], 0);
  const all = Object.fromEntries(AMOUNTS.map((of) => [of, total(of)])) as unknown as Cost;
  return { ...all, usd: roundToMicros(all.usd), reservedUsd: roundToMicros(all.reservedUsd) };
}

/** A sum for programs; minutes to the hundredth, seconds to the tenth. */
export const toCostFacts = ({ minutes, ...cost }: Cost) => ({
  calls: cost.calls,
  tokens_in: cost.tokensIn,
  tokens_out: cost.tokensOut,
  usd: cost.usd,
  agent_minutes: Math.round(minutes * 100) / 100,
  agent_seconds: Math.round(minutes * 600) / 10,
  calls_not_wholly_reported: cost.unknown,
  calls_without_price: cost.unpriced,
  usd_reserved: cost.reservedUsd,
  calls_without_tokens: cost.unknownTokens,
});

/** A call whose program was unavailable has no usage where no model was asked. */
const hasUsed = ({ usd, tokensIn, tokensOut, estimate }: HeldEntry): boolean =>
  estimate !== undefined || [usd, tokensIn, tokensOut].some((used) => (used ?? 0) > 0);

function usedBy(
  entry: Extract<JournalEntry, { kind: 'called' | 'interrupted' | 'held' }>,
  open: Started | undefined,
): Cost {
  const charged =
    entry.kind === 'interrupted'
      ? chargeInterrupted(entry, open)
      : entry.kind === 'held'
        ? chargeHeld(entry)
        : chargeCall(entry, open);
  // Older journals contain unchecked figures.
  const used = normaliseUsage(
    entry.kind === 'interrupted' ? { usd: entry.usd, tokensIn: entry.tokens ?? null, tokensOut: 0 } : entry,
  );
  const { tokensIn, tokensOut } = used;
  const unknownTokens = tokensIn === null || tokensOut === null ? 1 : 0;
  const unpriced = used.usd === null ? 1 : 0;
  return {
    calls: 1,
    tokensIn: tokensIn ?? 0,
    tokensOut: tokensOut ?? 0,
    usd: used.usd ?? 0,
    minutes: charged.minutes,
    unknown: Math.max(unpriced, unknownTokens),
    unknownTokens,
    unpriced,
    reservedUsd: unpriced * charged.usd,
  };
}

/** The displayed model of a call; its program where no model was named and it chose its own. */
export const formatModelName = ({ agent, model }: { readonly agent: string; readonly model: string }): string =>
  model === '' ? agent : model;

type Interrupted = Extract<JournalEntry, { kind: 'interrupted' }>;

/**
 * Settles an interrupted call: its reported usage, else the whole reservation. Where a crash of andon left no sign of
 * life, its duration is the time until now, at most its limit.
 */
export function chargeInterrupted(entry: Interrupted, open: Started | undefined): SettledCall {
  const passed = open === undefined ? 0 : Math.max(0, Date.parse(entry.at) - Date.parse(open.at)) / 60_000;
  const minutes = entry.ms === undefined ? Math.min(passed, open?.hardMinutes ?? 0) : entry.ms / 60_000;
  return chargeFigures(toMicroDollars(entry.usd), entry.tokens ?? null, open?.reserveTokens ?? 0, minutes, open);
}
